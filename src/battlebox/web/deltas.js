// @ts-check
/** Scenes as what has changed since the one before; the twin of protocol/deltas.py, which writes them. */
import { piecesOf, unpacked, unpackedZone } from './scene.js'
/** @import { SceneChanges, ZoneChanges } from './protocol' */
/** @import { Scene, Zone } from './types' */

const HEAD = /** @type {const} */ (['to_act', 'phase', 'title', 'prompt', 'over', 'cue', 'placements'])

/**
 * The next scene, from the one before and what has changed. Errors: they do not fit each other.
 * @param {Scene} scene @param {SceneChanges} said @returns {Scene}
 */
export function changed(scene, said) {
  /** @type {any} */
  const out = { ...scene }
  for (const name of HEAD) if (name in said) out[name] = said[name]
  if (!out.placements?.length) delete out.placements // as where a whole scene has none
  if (said.choices) out.choices = unpacked({ zones: [], alike: said.alike || [], choices: said.choices }).choices
  if (said.refusals) out.refusals = unpacked({ zones: [], choices: [], refusals: said.refusals }).refusals
  if (said.zones) out.zones = changedZones(scene.zones, said.zones)
  return out
}

/** @param {Zone[]} before @param {NonNullable<SceneChanges['zones']>} said @returns {Zone[]} */
function changedZones(before, said) {
  const old = new Map(before.map(z => [z.id, z]))
  return said.map(z => {
    if (typeof z !== 'string' && !('changed' in z)) return unpackedZone(z)
    const was = old.get(typeof z === 'string' ? z : z.id)
    if (!was) throw new Error('Changes of a zone that is not there.')
    return typeof z === 'string' ? was : changedZone(was, z)
  })
}

/** @param {Zone} zone @param {ZoneChanges} said @returns {Zone} */
function changedZone(zone, { label, facts, without = [], gone = [], alike = [], put = [] }) {
  const all = { ...zone.facts, ...facts }, pieces = zone.pieces.filter(p => !gone.includes(p.id))
  for (const name of without) delete all[name]
  const fresh = piecesOf(alike, put.map(([, row]) => row))
  put.forEach(([at], i) => pieces.splice(at, 0, fresh[i]))
  return { ...zone, label: label ?? zone.label, facts: all, pieces }
}
