// @ts-check
/**
 * Pieces that are asked for one after the other, laid in any order and confirmed once; and lineups that lie there at
 * once: the last one of this match, those that this browser keeps, those of the game. Loaded where it is asked for.
 */
import { editLineups, keepLineup, keptLineups } from './lineups.js'
import { CLOSE, SQUARES, STORED, whole } from './picking.js'
import { laying, rulesOf, split } from './placing.js'
import { taken } from '../scene.js'
import { read, write } from '../storage.js'
/** @import { Choice, Scene } from '../types' */
/** @import { At, Pair, Rules } from './placing.js' */
/** @import { Button } from './picking.js' */

/** Of so many matches it is kept how one lined up last. */
const MATCHES = 10

/** What may be laid where: nothing twice in one place. @param {Scene} scene @param {Choice[]} choices @returns {Rules} */
function spotsOf(scene, choices) {
  const { placements = [] } = scene, named = rulesOf(scene, choices.filter(c => c.any_order))
  return {
    oneByOne: true,
    pieces: new Set(placements.flatMap(x => x.pieces)),
    zones: [...new Set(placements.flatMap(x => Object.keys(x.places)))],
    agreeing: named.agreeing,
    completed: laid => laid,
    mayLie(laid) {
      const all = laid.map(([piece, place]) => taken(scene, piece, place)), spots = all.flat()
      return all.every(Boolean) && new Set(spots).size === spots.length
    },
  }
}

/**
 * As `laying`, with the buttons that a lineup has. `put` lays, `send` makes the choices of what lies.
 * @returns {import('./placing.js').Laid}
 * @param {At & {match: string, listed: string, put: (ids: string[]) => void, send: (laid: Pair[]) => void}} at
 */
export function liningUp(at) {
  const { scene, choices, name, match, listed, put, send } = at
  const rules = spotsOf(scene, choices), lies = split(at.picked).laid.filter(([piece]) => rules.pieces.has(piece))
  const picked = rules.mayLie(lies) ? at.picked : [] // what the tab has kept may be anything
  const it = laying({ ...at, picked }, rules), { laid, held, next, exact, rest, open } = it
  const isWhole = !rest.length, kept = keptLineups(), same = kept.find(x => laid.every(([p, z]) => x.at[p] === z))

  /** The pairs of a kept lineup, if every piece has a place in it. @param {Record<string, string>} where @returns {Pair[]} */
  function pairsOf(where) {
    /** @type {Pair[]} */
    const pairs = [...rules.pieces].map(piece => [piece, where[piece] ?? ''])
    return rules.mayLie(pairs) ? pairs : []
  }
  const layouts = () => /** @type {{text: string, sub: string, ids: string[], choice?: Choice}[]} */ ([
    { text: 'As last time', sub: 'your last lineup in this match', ids: pairsOf(lastOf(match)).flat() },
    ...kept.map(x => ({ text: x.name, sub: 'your own', ids: pairsOf(x.at).flat() })),
    ...choices.filter(c => c.any_order).map(c => ({ text: c.label, sub: c.sub, ids: c.path, choice: c })),
  ]).filter(x => x.ids.length).map(({ text, sub, ids, choice }) => ({
    text, sub, tone: 'plain', does: () => put(ids), sees: [choice || asChoice(text, ids)],
  }))
  const drawn = () => put(laid.flat())
  const keep = () => {
    keepLineup(Object.fromEntries(laid))
    drawn()
  }
  const names = (/** @type {string} */ sub) => ({ text: 'Name or delete', sub, tone: 'plain', does: () => editLineups(drawn) })

  /** @returns {Button[]} */
  function buttons() {
    const back = { text: 'Take back', sub: '', tone: 'plain', back: true }, close = { ...back, text: CLOSE }
    if (listed === SQUARES && open.length) return [...open.map(id => ({ text: name(id), sub: '', tone: 'main', pick: id })), close]
    const all = layouts(), list = (/** @type {string} */ text) => ({ text, sub: '', tone: 'plain', list: text })
    if (listed === STORED) return [...all, ...kept.length ? [names('your own lineups')] : [], close]
    const stored = all.length ? [list(STORED)] : [], squares = list(SQUARES)
    if (!laid.length) return [...stored, ...choices.filter(c => !c.path.length).map(whole), squares, back]
    if (held || !isWhole) return [...stored, squares, { ...back, text: held ? 'Put down' : back.text }]
    const label = `Confirm: ${exact ? exact.label : 'this lineup'}`
    const confirm = { text: 'Confirm', label, sub: '', tone: 'main', ...(exact ? { choice: exact, sees: [exact] } : { does: () => send(laid) }) }
    const save = exact ? [] : [same ? names(same.name) : { text: 'Save this lineup', sub: 'in this browser', tone: 'plain', does: keep }]
    return [confirm, ...save, ...stored, back]
  }

  const words = held ? `${name(held)}: on which square?` : isWhole ? (exact ? `${exact.label}?` : 'Ready to confirm? You can still move pieces.') : ''
  const last = laid[laid.length - 1], says = last ? `${name(last[0])}: ${name(last[1])}.` : ''
  return {
    ...it, buttons: buttons(), says: `${says} ${rest.length} left.`,
    text: words || (laid.length ? `${name(next)}: on which square? ${rest.length} left.` : ''),
    hint: laid.length || held ? '' : `Tap a square for ${name(next)}, or another piece first.`,
  }
}

/** To show it before it is laid. @param {string} label @param {string[]} path @returns {Choice} */
const asChoice = (label, path) => ({ action: -1, word: '', label, sub: '', path, tone: 'plain', rules: [], any_order: true })

/** The choice of the question that does one of these. @param {Choice[]} choices @param {Pair[]} laid */
export const asked = (choices, laid) => choices.find(c => (
  c.path.length === 2 && laid.some(([piece, place]) => c.path[0] === piece && c.path[1] === place)
))

// ---- what this browser keeps ---------------------------------------------------------------------
/** How one has lined up last in a match. @param {string} match @returns {Record<string, string>} */
function lastOf(match) {
  const found = read('lastLineups', []).find((/** @type {any} */ x) => Array.isArray(x) && x[0] === match)
  return found?.[1] instanceof Object ? found[1] : {}
}

/** Keeps where the pieces of a lineup stand in the next picture. @param {string} match @param {Scene} before @param {Scene} now */
export function remember(match, before, now) {
  const stands = Object.assign({}, ...now.zones.map(z => z.facts.at)), last = { ...lastOf(match) }
  for (const { pieces, places } of before.placements || []) {
    for (const piece of pieces) {
      const spots = String(stands[piece]), place = Object.keys(places).find(id => String(places[id]) === spots)
      if (place) last[piece] = place
    }
  }
  const others = read('lastLineups', []).filter((/** @type {any} */ x) => Array.isArray(x) && x[0] !== match)
  write('lastLineups', [[match, last], ...others].slice(0, MATCHES))
}
