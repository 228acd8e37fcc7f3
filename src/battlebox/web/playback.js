// @ts-check
/** Shows the frames at a pace that one can follow, and never makes anybody wait for them. */
/** @import { Shown } from './types' */

/** How long one piece of news stays before what others do next, each further one, and all at most. */
const PACE = 700, EACH = 300, LONGEST = 1900
/** How long a moment in the midst of an action stays, if there is one piece of news in it. */
const BEAT = 520
/** How long, all in all, where more has come meanwhile, and where much has. */
const HURRY = 350, RUSH = 120

/** @param {Shown} s */
export const freshTold = s => (s.fresh ? s.told.slice(-s.fresh) : [])

/** How much there is to read in a frame. @param {Shown} s */
const news = s => freshTold(s).filter(t => t.text).length

/** Whether a frame begins with what the viewer did. @param {Shown} s */
const isOwn = s => s.scene.viewer !== null && freshTold(s)[0]?.args.seat === s.scene.viewer

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
    const n = current ? news(current) : 0, next = queue[0], isMoment = current?.n === next.n
    if (!n || (!isMoment && isOwn(next))) return 0 // whoever has acted has read
    const frames = new Set(queue.map(s => s.n)).size
    if (frames > 8) return RUSH
    const newest = queue[queue.length - 1].scene
    const isMine = newest.viewer !== null && newest.to_act === newest.viewer
    if (frames > 4 || (isMine && frames > 2)) return isMoment ? RUSH : HURRY
    return Math.min(LONGEST, (isMoment ? BEAT : PACE) + EACH * (n - 1))
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
