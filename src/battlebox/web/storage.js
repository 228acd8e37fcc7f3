// @ts-check
/**
 * What this browser keeps: seats and their tokens, commitments to fair dice, habits, name, theme.
 *
 * Storage may be denied (private windows, blocked cookies) or full; then everything is kept as long
 * as the page lives, and nothing fails.
 */

import { BASE } from './place.js'

/**
 * A seat of mine; -1: none, I only made the match. `token` is its secret.
 * `at`: when it was first met; `others`: who else plays.
 * @typedef {{id: string, token: string, game: string, title: string, mode: string, others: string[],
 *   seat: number, name: string, at: number}} Kept
 */

/** How many matches are remembered; the oldest are forgotten first. */
const MOST = 50, MOST_WATCHED = 10
/** Two servers may lie in two folders of one host: each has seats of its own. */
export const PREFIX = BASE === '/' ? 'battlebox.' : `battlebox:${BASE}.`

/** Kept for good, and as long as the tab. Functions: even to look at them may be denied. */
export const LASTING = () => localStorage, TAB = () => sessionStorage

/** @type {Map<string, string>} what storage would not take */
const memory = new Map()

/**
 * @param {string} key
 * @param {unknown} fallback also says what kind of thing is expected
 * @returns {any}
 */
export function read(key, fallback, where = LASTING) {
  try {
    const text = memory.get(key) ?? where().getItem(PREFIX + key)
    const value = text === null ? fallback : JSON.parse(text)
    return typeof value === typeof fallback && Array.isArray(value) === Array.isArray(fallback)
      ? value ?? fallback : fallback
  } catch {
    return fallback
  }
}

/** @param {string} key @param {unknown} value */
export function write(key, value, where = LASTING) {
  const text = JSON.stringify(value)
  try {
    where().setItem(PREFIX + key, text)
    memory.delete(key)
  } catch {
    memory.set(key, text)
  }
}

// ---- matches ------------------------------------------------------------------------------------
/** @param {'matches' | 'watched'} list the newest first @returns {Kept[]} */
function kept(list) {
  return read(list, []).filter((/** @type {any} */ m) => m && typeof m.id === 'string')
    .map((/** @type {any} */ m) => ({ ...m, others: Array.isArray(m.others) ? m.others : [] }))
}

/** My seats. */
export const myMatches = () => kept('matches')

/** The matches that I have only watched. */
export const watched = () => kept('watched').filter(m => !tokenOf(m.id))

/**
 * Keeps a match. What is known of it already and not said again stays.
 * @param {Partial<Kept> & {id: string}} match
 */
export function remember(match, list = /** @type {'matches' | 'watched'} */ ('matches')) {
  const all = kept(list), old = all.find(m => m.id === match.id)
  const now = {
    token: '', game: '', title: '', mode: '', others: [], seat: 0, name: '', at: Date.now(), ...old, ...match,
  }
  write(list, [now, ...all.filter(m => m.id !== match.id)].slice(0, list === 'matches' ? MOST : MOST_WATCHED))
}

/** The token of my seat in a match; '' if I have none. @param {string} id */
export function tokenOf(id) {
  return myMatches().find(m => m.id === id)?.token ?? ''
}

/** @param {string} id */
export function forget(id) {
  for (const list of /** @type {const} */ (['matches', 'watched'])) write(list, kept(list).filter(m => m.id !== id))
}

// ---- fair dice ----------------------------------------------------------------------------------
const COMMITMENTS = 'promises' // what they were called when matches that still go on were begun

/** The commitment this browser was shown when it first saw the match, before its end; '' if none. @param {string} id */
export function commitmentOf(id) {
  const found = read(COMMITMENTS, []).find((/** @type {any} */ p) => Array.isArray(p) && p[0] === id)
  return found ? String(found[1]) : ''
}

/**
 * Keeps the first commitment of a match: a later one must not take its place.
 * @param {string} id
 * @param {string} commitment
 */
export function keepCommitment(id, commitment) {
  if (!commitmentOf(id)) write(COMMITMENTS, [[id, commitment], ...read(COMMITMENTS, [])].slice(0, MOST))
}

// ---- notes --------------------------------------------------------------------------------------
/**
 * What I have noted of each seat in a round of a match. They never leave this browser.
 * @param {string} id @param {number} round @returns {Record<string, string>}
 */
export function suspicionsOf(id, round) {
  const found = read('notes', []).find((/** @type {any} */ n) => Array.isArray(n) && n[0] === id && n[1] === round)
  return found?.[2] ?? {}
}

/**
 * Notes something of a seat; those of earlier rounds are forgotten.
 * @param {string} id @param {number} round @param {number} seat @param {string} note
 */
export function keepSuspicion(id, round, seat, note) {
  const others = read('notes', []).filter((/** @type {any} */ n) => Array.isArray(n) && n[0] !== id)
  write('notes', [[id, round, { ...suspicionsOf(id, round), [seat]: note }], ...others].slice(0, MOST))
}

// ---- habits -------------------------------------------------------------------------------------
/** The phases whose questions are declined by themselves in a match. @param {string} id @returns {string[]} */
export function habits(id) {
  const found = read('habits', []).find((/** @type {any} */ h) => Array.isArray(h) && h[0] === id)
  return Array.isArray(found?.[1]) ? found[1].map(String) : []
}

/** @param {string} id @param {string[]} phases */
export function keepHabits(id, phases) {
  const others = read('habits', []).filter((/** @type {any} */ h) => Array.isArray(h) && h[0] !== id)
  write('habits', [...(phases.length ? [[id, phases]] : []), ...others].slice(0, MOST))
}

// ---- myself -------------------------------------------------------------------------------------
/** @returns {string} */
export const myName = () => read('name', '')
/** @param {string} name */
export const setMyName = name => write('name', name.slice(0, 40))

/** The theme chosen here; '' follows the system. @returns {'' | 'light' | 'dark'} */
export const theme = () => {
  const t = read('theme', '')
  return t === 'light' || t === 'dark' ? t : ''
}
/** @param {'' | 'light' | 'dark'} value */
export const setTheme = value => write('theme', value)

/** How many times as long as usual what others do stays to be read; 0: not at all. */
export const PACES = [2, 1, 0.4, 0]
/** How many times as large as usual cards are. */
export const SIZES = [0.85, 1, 1.2]

/** How this browser likes a table. `motion`: whether pieces move, if the system lets them. */
export function settings() {
  const { pace, size, motion } = read('settings', {})
  return { pace: PACES.includes(pace) ? pace : 1, size: SIZES.includes(size) ? size : 1, motion: motion !== false }
}

/** @param {Partial<ReturnType<typeof settings>>} change */
export const keepSettings = change => write('settings', { ...settings(), ...change })

// ---- lessons ------------------------------------------------------------------------------------
/** The lessons of a game that were taken to their end here. @param {string} game @returns {string[]} */
export const learnt = game => read(`learnt.${game}`, []).filter((/** @type {any} */ x) => typeof x === 'string')

/** @param {string} game @param {string} id */
export const keepLearnt = (game, id) => write(`learnt.${game}`, [...new Set([...learnt(game), id])])

/** Whether a match of this game helps who is new to it. @param {string} game @returns {boolean} */
export const wantsHelp = game => read(`help.${game}`, false)

/** @param {string} game @param {boolean} on */
export function wantHelp(game, on) {
  write(`help.${game}`, on)
  if (on) write(`helped.${game}`, [])
}

/** The phases of a game with which one was helped. @param {string} game @returns {string[]} */
export const helped = game => read(`helped.${game}`, []).filter((/** @type {any} */ x) => typeof x === 'string')

/** @param {string} game @param {string} phase */
export const keepHelped = (game, phase) => write(`helped.${game}`, [...new Set([...helped(game), phase])])
