// @ts-check
/** Shows pictures at a pace that one can follow, and never makes anybody wait for them. */
import { settings } from '../storage.js'
/** @import { Shown } from '../types' */

/** How long one piece of news stays before what others do next, each further one, and all at most. */
const PACE = 700, EACH = 300, LONGEST = 1900
/** How long an intermediate view stays, if there is one piece of news in it. */
const BEAT = 520
/** How long, all in all, where more has come meanwhile, and where much has. */
const HURRY = 350, RUSH = 120
/** So many pictures back can one go who watches, and who plays. */
const KEPT = 200, KEPT_IN_PLAY = 40

/** Where one is among pictures, and whether and how quickly it goes on. @typedef {{first: number, at: number,
 *   last: number, playing: boolean, speed: number}} Film */

/**
 * Goes from picture to picture, by itself or as one says: a replay, or a match that one watches. `wait`: how
 * long a picture stays, in ms; Infinity: till `pump`. `stops`: whether nothing comes after the last one.
 * @param {{first?: () => number, last: () => number, wait: (k: number) => number, show: (k: number) => void,
 *   changed: () => void, stops?: () => boolean, playing?: boolean}} of
 */
export function stepper({ first = () => 0, last, wait, show, changed, stops = () => false, playing = true }) {
  let at = -1, since = 0, speed = 1
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer

  function put(/** @type {number} */ k) {
    at = k
    since = performance.now()
    show(k)
  }
  /** Goes on if it is time, or when it is. */
  function pump() {
    clearTimeout(timer)
    while (playing && at < last()) {
      const left = since + wait(at) / speed - performance.now()
      if (left > 5) {
        if (left < Infinity) timer = setTimeout(pump, left)
        return
      }
      put(at + 1)
    }
    if (playing && stops()) play(false)
  }
  function play(/** @type {boolean} */ on) {
    playing = on
    since = performance.now()
    changed()
    pump()
  }

  return {
    pump, play,
    stop: () => clearTimeout(timer),
    /** @returns {Film} */
    film: () => ({ first: first(), at, last: last(), playing, speed }),
    /** @param {number} k while it is not known which is the last, any */
    to(k) {
      put(Math.max(first(), last() < 0 ? k : Math.min(last(), k)))
      pump()
    },
    rate(/** @type {number} */ x) {
      speed = x
      changed()
      pump()
    },
  }
}

/** @param {Shown} s */
export const freshTold = s => (s.fresh ? s.told.slice(-s.fresh) : [])

/** How much there is to read in a frame. @param {Shown} s */
const news = s => freshTold(s).filter(t => t.text).length

/** Whether a frame begins with what the viewer did. @param {Shown} s */
const isOwn = s => s.scene.viewer !== null && freshTold(s)[0]?.args.seat === s.scene.viewer

/**
 * The pictures of a match that goes on. Who watches may pause and go back; who plays sees each once, and may see
 * again what the others did last.
 * @param {(shown: Shown) => void} show
 * @param {() => void} changed what `film` says is not as it was
 */
export function playback(show, changed) {
  /** @type {Shown[]} */
  let all = []
  let gone = 0 // how many there were before all[0]
  const last = () => gone + all.length - 1, at = () => steps.film().at
  let back = false // who plays looks at what was
  let held = false // something has to be read first
  const watches = () => all.length > 0 && all[all.length - 1].scene.viewer === null
  const tell = () => {
    if (back && at() === last()) {
      back = false
      steps.play(true)
      changed()
    } else if (back || watches()) changed()
  }
  const see = (/** @type {number} */ k) => {
    show(all[k - gone])
    tell()
  }
  const steps = stepper({ first: () => gone, last, wait: pace, show: see, changed: tell })

  /** @param {number} k */
  function pace(k) {
    return held ? Infinity : (settings().pace || Number(back)) * usual(k)
  }

  /** How long a picture stays at the usual pace. @param {number} k */
  function usual(k) {
    const [current, ...queue] = all.slice(k - gone), n = news(current), next = queue[0], isOnTheWay = current.n === next.n
    if (!n || (!isOnTheWay && isOwn(next))) return 0 // one's own action needs no reading
    const frames = new Set(queue.map(s => s.n)).size, newest = queue[queue.length - 1].scene
    if (steps.film().speed === 1 && !back) { // else one has said how quick it is to be
      if (frames > 8) return RUSH
      const isMine = newest.viewer !== null && newest.to_act === newest.viewer
      if (frames > 4 || (isMine && frames > 2)) return isOnTheWay ? RUSH : HURRY
    }
    return Math.min(LONGEST, (isOnTheWay ? BEAT : PACE) + EACH * (n - 1))
  }

  /** Shows the newest frame now; what was told on the way stays marked as new. Whether there was one. */
  function skip() {
    if (held) return false
    const left = all.slice(at() - gone + 1), newest = left.pop()
    if (!newest) return false
    all[all.length - 1] = { ...newest, fresh: left.reduce((sum, s) => sum + s.fresh, newest.fresh) }
    steps.to(last())
    return true
  }

  /** The picture before what others did last; -1: they did nothing yet. */
  function before() {
    let k = all.length - 1
    while (k > 0 && (isOwn(all[k]) || !news(all[k]))) k -= 1
    if (k < 1) return -1
    while (k > 0 && !isOwn(all[k])) k -= 1
    return gone + k
  }

  return {
    skip, before,
    /** Stays where one is, or goes on. @param {boolean} on */
    hold(on) {
      held = on
      steps.pump()
    },
    /** Null: who plays sees what is now. */
    film: () => (back || watches() ? steps.film() : null),
    /** Shows once more what others did last; whether there is something. */
    again() {
      const k = watches() ? -1 : before()
      if (k >= 0) {
        back = true
        steps.to(k)
        steps.play(true)
      }
      return k >= 0
    },
    to: steps.to, play: steps.play, rate: steps.rate, stop: steps.stop,
    /** @param {Shown} s @param {boolean} jump an undo or a new run: nothing leads up to it */
    push(s, jump) {
      if (!all.length || jump) {
        back = false
        gone += all.length
        all = [s]
        steps.to(gone)
      } else {
        all.push(s)
        if (document.hidden && steps.film().playing) skip()
        else steps.pump()
      }
      const old = Math.max(0, at() - gone - (s.scene.viewer === null ? KEPT : KEPT_IN_PLAY))
      all = all.slice(old)
      gone += old
      tell()
    },
  }
}
