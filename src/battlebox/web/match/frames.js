// @ts-check
/** Frames made into pictures: what is not said in one is as it was in the one before. */
import { changed, changedZones, unpacked } from '../scene.js'
/** @import { Frame } from '../protocol' */
/** @import { EventView, Scene, Shown, Zone } from '../types' */

/** @typedef {{type: 'frame', shown: Shown, before: Shown[], jump: boolean}} FrameHeard `before`: the intermediate views on the way */

/** Somebody who follows the frames of one viewer. */
export function follower() {
  let run = '', n = -1
  /** @type {EventView[]} */
  let told = []
  /** @type {Scene | null} that of frame n */
  let scene = null

  /** @param {Frame} f @returns {FrameHeard | null} */
  function follow(f) {
    const next = sceneOf(f)
    if (!next) return null
    const isNew = f.run !== run, jump = isNew || f.keep < told.length, zones = scene?.zones || []
    run = f.run
    n = f.n
    scene = next
    told = told.slice(0, f.keep).concat(/** @type {EventView[]} */ (f.told))
    const before = jump ? [] : onTheWay(f, next, zones)
    const fresh = isNew ? lastAction(told) : told.length - (before.at(-1)?.told.length ?? f.keep)
    const countdown = f.countdown ? { of: f.countdown.of, ends: performance.now() + 1000 * f.countdown.left } : null
    const shown = { run, n, rest: 0, question: f.question, scene, told, fresh, undo: f.undo, countdown }
    return { type: /** @type {const} */ ('frame'), shown, before, jump }
  }

  /** The scene of a frame, whole or as what has changed; null: it cannot be known. @param {Frame} f */
  function sceneOf(f) {
    if (!f.changes) return unpacked(f.scene)
    if (!scene || f.run !== run || f.since !== n) return null
    try {
      return changed(scene, f.changes)
    } catch (e) {
      console.warn(e)
      return null
    }
  }

  /**
   * The intermediate views before this frame: of their zones comes what has changed since the one before.
   * @param {Frame} f @param {Scene} next @param {Zone[]} zones of the frame before @returns {Shown[]}
   */
  function onTheWay(f, { viewer }, zones) {
    const views = f.intermediate_views || []
    return views.map((v, i) => {
      zones = v.zones ? changedZones(zones, v.zones) : zones
      const { phase, title, prompt } = v, fresh = v.told - (views[i - 1]?.told ?? f.keep)
      const scene = { viewer, to_act: null, phase, title, prompt, zones, choices: [], over: false }
      const shown = { run, n, rest: views.length - i, question: '', scene, told: told.slice(0, v.told), fresh }
      return { ...shown, undo: false, countdown: null }
    })
  }

  return {
    /** What is to be seen now; null: the thread is lost, and one has to ask for a whole frame. */
    follow,
    forget() {
      run = ''
      n = -1
      scene = null
    },
    isNew: () => n < 0,
    /** What a hello says of it. */
    seen: () => (run ? { run, since: n } : {}),
  }
}

/**
 * How many entries, at the end, tell of the last action: what is new to somebody who just came.
 * @param {EventView[]} told
 */
const lastAction = told => told.filter(t => t.turn === told[told.length - 1].turn).length
