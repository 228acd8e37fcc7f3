// @ts-check
/** The frames of a replay: fetched in chunks as they are needed, and kept. */
import { get } from '../api.js'
import { unpacked } from '../scene.js'
/** @import { EventView, Scene } from '../types' */

/** @typedef {{told: EventView[], scene: Scene}} Step */

const CHUNK = 50

/**
 * @param {string} id
 * @param {number | null} seat
 * @param {string} token who asks: players may look before late spectators
 */
export function frames(id, seat, token) {
  /** @type {Map<number, Promise<void>>} */
  const asked = new Map()
  /** @type {Step[]} with holes where nobody has looked yet */
  const known = []
  const it = {
    /** How many actions there were; -1: not known yet. */
    steps: -1,
    /** @param {number} k @returns {Step | undefined} */
    at: k => known[k],
    /**
     * What was told up to step k, as far back as is known.
     * @param {number} k
     */
    told: k => {
      let first = k
      while (first > 0 && known[first - 1]) first -= 1
      return known.slice(first, k + 1).flatMap(f => f.told)
    },
    /** Whether all that was told up to step k is known. @param {number} k */
    isWhole: k => !Array.from({ length: k + 1 }, (_, i) => known[i]).includes(/** @type {any} */ (undefined)),
    /**
     * Fetches the chunk of step k. A chunk that failed is asked for again.
     * @param {number} k
     */
    load: k => {
      const chunk = Math.floor(Math.max(0, k) / CHUNK)
      let asking = asked.get(chunk)
      if (!asking) {
        asking = fetchChunk(chunk)
        asked.set(chunk, asking)
        asking.catch(() => asked.delete(chunk))
      }
      return asking
    },
    /** Fetches what comes next, before it is asked for. @param {number} k */
    ahead: k => {
      if (it.steps < 0) return
      for (const near of [k + CHUNK / 2, k - CHUNK / 2]) {
        if (near >= 0 && near <= it.steps) it.load(near).catch(() => {}) // it is asked for again when needed
      }
    },
  }
  /** @param {number} chunk */
  async function fetchChunk(chunk) {
    const who = seat === null ? '' : `seat=${seat}&`, end = (chunk + 1) * CHUNK
    for (let from = chunk * CHUNK; from < end && (it.steps < 0 || from <= it.steps);) {
      const path = `/api/matches/${encodeURIComponent(id)}/replay?${who}from=${from}&to=${end - 1}`
      const told = await get(path, token)
      it.steps = told.steps
      told.frames.forEach((/** @type {Step} */ f, /** @type {number} */ i) => {
        known[from + i] = { told: f.told, scene: unpacked(f.scene) }
      })
      if (!told.frames.length) break
      from += told.frames.length // large ones come in parts
    }
  }
  return it
}

/** What happened in a step, in words. @param {Step | undefined} step */
export function wordsOf(step) {
  if (!step) return { title: '', text: '' }
  const said = step.told.map(t => t.text).filter(Boolean).join(' ')
  return { title: step.scene.title, text: step.scene.over ? step.scene.prompt : said || step.scene.prompt }
}
