// @ts-check
/** From taps to a choice: what may be tapped next, which buttons to offer. No game, no drawing. */
/** @import { Choice, Scene } from '../types' */

/** So many choices are offered as buttons at once; more are asked for card by card, and what they begin with is picked already. */
export const FEW = 4
/** More pieces or places to begin with than this are listed only if one asks for it. */
const MANY = 8
export const CLOSE = 'Close the list', STORED = 'Stored lineups', SQUARES = 'List squares'

/**
 * The choices whose path begins with what has been tapped.
 * @param {Choice[]} choices
 * @param {string[]} picked
 */
export const under = (choices, picked) => choices.filter(c => (
  c.path.length >= picked.length && picked.every((id, i) => c.path[i] === id)
))

/** What it leads to, in short. @param {Choice | null} [choice] */
export const inShort = choice => choice?.sub?.split(';')[0] ?? ''

/**
 * The choices in the order of the taps: those that aim at what has been tapped first begin with it.
 * @param {Choice[]} choices @param {string[]} picked
 */
export function fromTarget(choices, [target]) {
  if (!target || choices.some(c => c.path[0] === target || c.any_order)) return choices
  return choices.filter(c => c.path.includes(target)).map(c => ({ ...c, path: [target, ...c.path.filter(id => id !== target)] }))
}

/**
 * What may be tapped now: the next step, and every first step.
 * @param {Choice[]} choices
 * @param {string[]} picked
 */
export function litIds(choices, picked) {
  const ids = new Set(choices.map(c => c.path[0]).filter(Boolean))
  for (const c of under(choices, picked)) if (c.path[picked.length]) ids.add(c.path[picked.length])
  return ids
}

/**
 * A tap: the choice it makes, or what is picked now; null: it means nothing here.
 * One tap alone never does anything: a piece is picked first, then its target, itself again, or a button.
 * @param {Choice[]} choices @param {string[]} picked @param {string} id @param {boolean} [isTarget] the target may come first
 * @returns {{choice: Choice} | {picked: string[]} | null}
 */
export function tap(choices, picked, id, isTarget) {
  const here = under(choices, picked)
  if (picked.length && id === picked[picked.length - 1]) {
    return here.length === 1 ? { choice: here[0] } : { picked: picked.slice(0, -1) }
  }
  if (here.some(c => c.path[picked.length] === id)) {
    const next = [...picked, id], left = under(choices, next)
    const isDone = picked.length > 0 && left.length === 1 && left[0].path.length === next.length
    return isDone ? { choice: left[0] } : { picked: next }
  }
  return choices.some(c => (isTarget ? c.path.includes(id) : c.path[0] === id)) ? { picked: [id] } : null
}

/**
 * The lit piece that is meant by a tap: itself, or of those like it in its zone the one that may be chosen.
 * @param {Scene} scene @param {string} id @param {Set<string>} lit
 */
export function meant(scene, id, lit) {
  const zone = lit.has(id) ? null : scene.zones.find(z => z.pieces.some(p => p.id === id))
  const code = zone?.pieces.find(p => p.id === id)?.code
  return (code && zone?.pieces.find(p => p.code === code && lit.has(p.id))?.id) || id
}

/**
 * The choice that dropping a piece makes: on a target, or, where there is none to name, anywhere.
 * @param {Choice[]} choices @param {string} id @param {string[]} over ids under the finger
 */
export function drop(choices, id, over) {
  const left = under(choices, [id])
  const hits = left.filter(c => over.includes(c.path[1] ?? '')), whole = left.filter(c => c.path.length === 1)
  if (hits.length === 1 && hits[0].path.length === 2) return hits[0]
  return whole.length === 1 && left.length === 1 ? whole[0] : null
}

/** The name of a piece or zone. @param {Scene} scene @param {string} id */
export function nameOf(scene, id) {
  for (const zone of scene.zones) {
    if (zone.id === id) return zone.label
    const piece = zone.pieces.find(p => p.id === id)
    if (piece) return piece.name || piece.label
  }
  return id
}

/** "piece", or the kind of the zone, of an id. @param {Scene} scene @param {string} id */
export const kindOf = (scene, id) => scene.zones.find(z => z.id === id)?.kind || 'piece'

/** The kind of a piece itself, or of a zone. @param {Scene} scene @param {string} id */
export const kindOfPiece = (scene, id) => (
  scene.zones.flatMap(z => z.pieces).find(p => p.id === id)?.kind || kindOf(scene, id)
)

/**
 * A button of the prompt: it makes a choice, picks something, or steps back.
 * @typedef {{text: string, sub: string, tone: string, choice?: Choice, pick?: string, back?: boolean, does?: () => void,
 *   list?: string, label?: string, full?: string, sees?: Choice[], piece?: boolean, key?: string}} Button
 * `label` and `full`: what a screen reader says instead of `text` and `sub`. `piece`: it stands for a
 * piece that can be tapped instead. `key`: what presses it.
 */

/**
 * @param {Scene} scene @param {string[]} picked @param {(id: string) => string} name
 * @param {(id: string) => string} [listOf] what a list of what is better chosen on the table is called
 * @param {string} [listed] which list has been asked for
 * @returns {Button[]}
 */
export function buttons(scene, picked, name, listOf = () => '', listed = '') {
  const all = everyButton(scene, picked, name), long = all.filter(b => b.pick || b.label)
  const nameOfList = (/** @type {Button} */ b) => listOf(b.pick || b.choice?.path[picked.length] || '')
  const called = long.map(nameOfList).find(Boolean) || '', kin = long.filter(b => nameOfList(b) === called)
  if (kin.length <= (called ? FEW : MANY)) return all
  if (listed) return [...long, { text: CLOSE, sub: '', tone: 'plain', back: true }]
  // what is unlike the many stands beside their list: a touchdown beside the squares
  const others = long.filter(b => !kin.includes(b)).map(b => (b.choice ? { ...whole(b.choice), tone: 'main' } : b))
  const list = { text: called || 'List all', sub: `${kin.length} to choose from`, tone: 'plain', list: CLOSE }
  return [...others, list, ...all.filter(b => !long.includes(b))]
}

/** @param {Scene} scene @param {string[]} picked @param {(id: string) => string} name @returns {Button[]} */
function everyButton(scene, picked, name) {
  const { choices } = scene, left = under(choices, picked)
  if (picked.length) return [...steps(left, picked, name), back(scene, picked)]
  const direct = choices.filter(c => !c.path.length), pathed = choices.filter(c => c.path.length)
  if (choices.length === 1) return [{ ...whole(choices[0]), tone: 'main' }]
  if (choices.length <= FEW) return [...pathed.map(c => ({ ...whole(c), piece: true })), ...direct.map(whole)]
  return [...steps(pathed, picked, name), ...direct.map(whole)]
}

/** @param {Choice} choice @returns {Button} */
export const whole = choice => ({
  text: choice.label, sub: choice.sub, tone: choice.tone === 'main' ? 'main' : 'plain', choice,
  sees: [choice],
})

/** What the game calls the main choices before the others. @param {Choice[]} list */
export const mainFirst = list => [...list].sort((a, b) => Number(b.tone === 'main') - Number(a.tone === 'main'))

/**
 * One button for each next step.
 * @param {Choice[]} left
 * @param {string[]} picked
 * @param {(id: string) => string} name
 */
function steps(left, picked, name) {
  if (left.length === 1) return [{ ...whole(left[0]), tone: 'main' }]
  // where one choice ends here and others go on, each is said in full
  if (picked.length && left.length <= FEW && left.some(c => c.path.length === picked.length)) {
    return mainFirst(left).map(c => ({ ...whole(c), tone: 'main' }))
  }
  /** @type {Map<string, Choice[]>} */
  const groups = new Map()
  const out = left.filter(c => c.path.length === picked.length).map(whole)
  for (const c of left) {
    const id = c.path[picked.length]
    if (id) groups.set(id, [...(groups.get(id) || []), c])
  }
  for (const [id, sees] of groups) {
    const one = sees.length === 1 ? sees[0] : null
    const piece = picked.length === 0, text = piece && one?.path.length === 1 ? one.label : name(id)
    out.push(one
      ? { text, sub: one.sub, tone: piece ? 'plain' : 'main', choice: one, label: one.label, sees, piece }
      : { text: `${text} …`, sub: `${sees.length} choices`, tone: 'plain', pick: id, sees, piece })
  }
  return out
}

/**
 * Whether so many of these stand for pieces that these bear the keys, and no button is shown for them.
 * @param {Button[]} list
 */
export const areTapped = list => list.filter(b => b.piece).length > FEW && !list.some(b => b.back && b.text === CLOSE)

/**
 * What all these results end with, ", if not blocked", so that it can be said once and not on every button.
 * @param {string[]} subs
 */
export function commonEnd(subs) {
  const [first = '', ...others] = subs
  if (!others.length || !first) return ''
  for (let at = first.search(/[,;] /); at >= 0;) {
    const end = first.slice(at)
    if (others.every(s => s.endsWith(end))) return end
    const next = first.slice(at + 1).search(/[,;] /)
    at = next < 0 ? -1 : at + 1 + next
  }
  return ''
}

/** Buttons without what their results have in common, and that. @param {Button[]} list */
export function said(list) {
  const alike = list.filter(b => !b.back && (b.pick || b.label)), subs = alike.map(b => b.sub)
  const isSame = subs.length > 1 && subs.every(s => s === subs[0]) && alike.every(b => b.piece)
  const end = isSame ? subs[0] : commonEnd(subs)
  const short = list.map(b => (
    end && alike.includes(b) ? { ...b, sub: b.sub.slice(0, -end.length), full: b.sub } : b
  ))
  return { list: short, end: end.replace(/^[,;] /, '') }
}

/**
 * Buttons with their keys: what declines is 0, whatever else there is, and Esc steps back.
 * @param {Button[]} list
 */
export function keyed(list) {
  const quiet = list.filter(b => b.choice?.tone === 'quiet' && !b.choice.path.length)
  let n = 0
  return list.map(b => {
    const key = b.back ? 'Esc' : quiet.length === 1 && b === quiet[0] ? '0' : (n += 1) < 10 ? String(n) : ''
    return { ...b, key }
  })
}

/** @param {Scene} scene @param {string[]} picked @returns {Button} */
function back(scene, picked) {
  const isFirst = picked.length === 1
  const isCard = isFirst && scene.zones.some(z => z.pieces.some(p => p.id === picked[0] && p.kind === 'card'))
  return { text: isCard ? 'Other card' : 'Back', sub: '', tone: 'plain', back: true }
}
