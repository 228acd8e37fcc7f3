// @ts-check
/** Shows the frames at a pace that one can follow, and never makes anybody wait for them. */
/** @import { Shown } from './types' */

/** How long news of others stay before the next frame, and how long when I am waited for. */
const PACE = 700, HURRY = 350, RUSH = 120

/** @param {Shown} s */
export const freshTold = s => (s.fresh ? s.told.slice(-s.fresh) : [])

/** Whether a frame tells of something that somebody else did. @param {Shown} s */
const hasNews = s => freshTold(s).some(t => t.text && t.args.seat !== s.scene.viewer)

/**
 * @param {(shown: Shown, behind: number) => void} show `behind`: how many frames are still to come
 */
export function playback(show) {
  /** @type {Shown[]} */
  let queue = []
  /** @type {Shown | null} */
  let current = null
  let since = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  /** @param {Shown} s */
  function put(s) {
    current = s
    since = performance.now()
    show(s, queue.length)
  }

  function pace() {
    if (!current || !hasNews(current)) return 0
    if (queue.length > 8) return RUSH
    const newest = queue[queue.length - 1].scene
    const isMine = newest.viewer !== null && newest.to_act === newest.viewer
    return queue.length > 4 || (isMine && queue.length > 2) ? HURRY : PACE
  }

  function pump() {
    clearTimeout(timer)
    while (queue.length) {
      const wait = since + pace() - performance.now()
      if (wait > 5) {
        timer = setTimeout(pump, wait)
        return
      }
      const next = queue.shift()
      if (next) put(next)
    }
  }

  /** Shows the newest frame now; what was told on the way stays marked as new. */
  function skip() {
    clearTimeout(timer)
    const last = queue.pop()
    if (!last) return
    const fresh = last.fresh + queue.reduce((sum, s) => sum + s.fresh, 0)
    queue = []
    put({ ...last, fresh })
  }

  return {
    skip,
    stop: () => clearTimeout(timer),
    /** @param {Shown} s @param {boolean} jump an undo or a new run: nothing leads up to it */
    push(s, jump) {
      if (!current || jump) {
        clearTimeout(timer)
        queue = []
        return put(s)
      }
      queue.push(s)
      if (document.hidden) skip()
      else pump()
    },
  }
}
