// @ts-check
/**
 * Scenes as the server sends them: whole, where what is alike is said once and nothing that is empty, or as what has
 * changed since the one before. The twin of core/scene.py and protocol/deltas.py, which write them.
 */
/** @import { PackedZone, SceneChanges, Within, ZoneChanges } from './protocol' */
/** @import { Choice, Piece, Scene, Zone } from './types' */

/** What stands in the rows of choices and pieces, the word in them first; and where it stands in what is alike. */
const CHOICE = ['word', 'action', 'sub', 'then'], PIECE = ['code'], WORD = '{}'

/** @type {Partial<Choice>} */
const SOME_CHOICE = { sub: '', path: [], tone: 'plain', rules: [], then: {} }
/** @type {Partial<Piece>} */
const SOME_PIECE = { kind: 'card', code: '', name: '', value: '', text: '', tone: '', count: 1 }

/** @param {any} scene @returns {Scene} */
export function unpacked({ templates = [], choices, refusals = [], zones, ...more }) {
  return {
    ...more,
    zones: zones.map(unpackedZone),
    choices: rowsOf(templates, choices, CHOICE, SOME_CHOICE),
    refusals: refusals.map((/** @type {any} */ r) => ({ rules: [], ...r })),
  }
}

/** @param {PackedZone} zone @returns {Zone} */
function unpackedZone({ templates = [], pieces = [], ...more }) {
  return { owner: null, facts: {}, ...more, pieces: rowsOf(templates, pieces, PIECE, SOME_PIECE) }
}

/** What a piece would take up at a place; undefined: it may not lie there. @param {Scene} scene @param {string} piece @param {string} [place] */
export const taken = ({ placements }, piece, place = '') => placements?.find(x => x.pieces.includes(piece))?.places[place]

/** @param {any[]} templates @param {any[]} rows @param {string[]} own @param {object} some @returns {any[]} */
function rowsOf(templates, rows, own, some) {
  return rows.map((/** @type {any[]} */ [like, ...mine]) => {
    const named = mine.map((v, i) => [own[i], v]), said = Object.fromEntries(named.filter(([, v]) => v !== null))
    const [stem] = /^[A-Za-z0-9]*/.exec(said[own[0] ?? ''] ?? '') ?? ['']
    return { ...some, ...(stem ? withStem(templates[like], stem) : templates[like]), ...said }
  })
}

/** @param {Record<string, any>} said @param {string} stem the first letters and digits of the word */
const withStem = (said, stem) => Object.fromEntries(Object.entries(said).map(([k, v]) => {
  if (typeof v === 'string') return [k, v.replaceAll(WORD, stem)]
  return [k, k === 'path' ? v.map((/** @type {string} */ x) => x.replaceAll(WORD, stem)) : v]
}))

// ---- what has changed ---------------------------------------------------------------------------
const HEAD = /** @type {const} */ (['to_act', 'phase', 'title', 'prompt', 'over', 'cue', 'placements']), RARE = ['cue', 'placements']

/**
 * The next scene, from the one before and what has changed. Errors: they do not fit each other.
 * @param {Scene} scene @param {SceneChanges} said @returns {Scene}
 */
export function changed(scene, said) {
  /** @type {any} */
  const out = { ...scene }
  for (const name of HEAD) if (name in said) out[name] = said[name]
  for (const name of RARE) if (!out[name]?.length) delete out[name] // a whole scene does not say them then either
  if (said.choices) out.choices = unpacked({ zones: [], templates: said.templates || [], choices: said.choices }).choices
  if (said.refusals) out.refusals = unpacked({ zones: [], choices: [], refusals: said.refusals }).refusals
  if (said.zones) out.zones = changedZones(scene.zones, said.zones)
  return out
}

/** @param {Zone[]} before @param {NonNullable<SceneChanges['zones']>} said @returns {Zone[]} */
export function changedZones(before, said) {
  const old = new Map(before.map(z => [z.id, z]))
  return said.map(z => {
    if (typeof z !== 'string' && !('changed' in z)) return unpackedZone(z)
    const was = old.get(typeof z === 'string' ? z : z.id)
    if (!was) throw new Error('Changes of a zone that is not there.')
    return typeof z === 'string' ? was : changedZone(was, z)
  })
}

/** @param {Zone} zone @param {ZoneChanges} said @returns {Zone} */
function changedZone(zone, { label, facts, gone = [], turned = {}, templates = [], put = [] }) {
  const fresh = rowsOf(templates, put.map(([, row]) => row), PIECE, SOME_PIECE)
  const away = new Set([...gone, ...fresh.map(p => p.id)])
  const pieces = zone.pieces.filter(p => !away.has(p.id)).map(p => (p.id in turned ? { ...p, ...turned[p.id] } : p))
  put.forEach(([at], i) => pieces.splice(at, 0, fresh[i]))
  return { ...zone, label: label ?? zone.label, facts: facts ? changedWithin(zone.facts, facts) : zone.facts, pieces }
}

/** An object or a list with what changes within it. @param {any} value @param {Within} said @returns {any} */
function changedWithin(value, { set = {}, without = [], within = {}, cut, put = [] }) {
  if (cut) return [...value.slice(0, cut[0]), ...put, ...value.slice(cut[0] + cut[1])]
  const out = Array.isArray(value) ? [...value] : { ...value }
  for (const key of without) delete out[key]
  for (const key in within) out[key] = changedWithin(out[key], within[key])
  return Object.assign(out, set)
}
