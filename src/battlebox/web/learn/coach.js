// @ts-check
/** The coach of a lesson: a bubble beside what is meant, and rings around it. */
import { Icon } from '../pieces.js'
import { html, useEffect, useLayoutEffect, useRef, useState } from '../ui.js'
/** @import { Choice, Scene } from '../types' */
/** @import { Ref } from '../vendor/hooks.js' */
/** @import { Child } from '../vendor/preact.js' */
/** @import { Coached } from './line.js' */

/**
 * What a match needs of a coach. `asks`: whether the learner has to decide something. `docked`: there is no room on the
 * table for a bubble, so that the coach speaks where the question stands.
 * @typedef {{asks: boolean, docked: boolean, choiceOf: (scene: Scene) => Choice | null, press: (key: string) => boolean,
 *   onTable: (root: Ref<HTMLElement | null>, hands: Hands) => any, inPrompt: (hands: Hands) => any}} Coaching
 * @typedef {(text: string | string[]) => void} Say
 */
/** What a coach can do at the table: speak, choose for the player, ask for a hint where one may.
 * @typedef {{say: Say, choose: (choice: Choice) => void, hint: (() => void) | null}} Hands */
/** How a lesson stands, and where one can go from here. `place`: "Lesson 2 of 7". `next`: what follows the lesson.
 * `more`: the lessons of another way to play.
 * @typedef {{coached: Coached, title: string, place: string, next: {text: string, go: () => void}, more: {text: string, go: () => void} | null,
 *   onGoOn: () => void, onBack: () => void, onAgain: () => void, onSkip: () => void, onList: () => void}} Lesson */
/** What is pointed at, by ids of the scene. @typedef {{zones: string[], pieces: string[]}} Meant */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Area in pixels, within the tray */

/** Between bubble and what is meant, and at the edges. */
const GAP = 10
/** Where it may stand, in shares of the room there is: rather in the middle. */
const STEPS = [.5, .375, .625, .25, .75, .125, .875, 0, 1]

/** As much may it cover on the table before it rather stands beside it. */
const ASIDE = 1e4

/** Where there is no room for a bubble on the table. */
const SMALL = matchMedia('(max-width: 820px), (max-height: 520px)')

/** Whether there is none now. */
export const isDocked = () => SMALL.matches

/** Says when that changes: a phone is turned, a window is drawn larger. @param {() => void} changed @returns {() => void} ends it */
export function watchDocked(changed) {
  SMALL.addEventListener('change', changed)
  return () => SMALL.removeEventListener('change', changed)
}

export function useDocked() {
  const [docked, setDocked] = useState(SMALL.matches)
  useEffect(() => watchDocked(() => setDocked(SMALL.matches)), [])
  return docked
}

/** Rings around what is meant and, unless it is docked, the bubble beside it.
 * @param {{meant: Meant, docked: boolean, root: Ref<HTMLElement | null>, children?: Child}} props */
export function OnTable({ meant, docked, root, children }) {
  const me = useRef(/** @type {HTMLElement | null} */ (null))
  const [at, setAt] = useState(/** @type {{left: number, top: number, rings: Area[]} | null} */ (null))
  useLayoutEffect(() => {
    const tray = root.current
    if (!tray) return undefined
    const place = () => setAt(old => {
      const now = placed(tray, me.current, meant)
      return JSON.stringify(old) === JSON.stringify(now) ? old : now // else it would be drawn again
    })
    place()
    const watch = new ResizeObserver(place)
    watch.observe(tray)
    if (me.current) watch.observe(me.current)
    let looks = 2 // the table is drawn by then, and has shown what it likes to show
    const timer = setInterval(() => { // pieces still move to their places
      if (looks > 0) bringIntoView(tray, meant)
      looks -= 1
      place()
    }, 300)
    return () => {
      watch.disconnect()
      clearInterval(timer)
    }
  }, [meant, docked])
  return html`
    ${at?.rings.map((r, i) => html`<span key=${i} class="pointed" aria-hidden="true"
      style=${{ left: `${r.left}px`, top: `${r.top}px`, width: `${r.right - r.left}px`, height: `${r.bottom - r.top}px` }}></span>`)}
    ${!docked && html`<aside class="coach" ref=${me} aria-label="Coach"
      style=${at ? { left: `${at.left}px`, top: `${at.top}px` } : { visibility: 'hidden' }}>${children}</aside>`}`
}

/** The coach where the question stands. @param {{children?: Child}} props */
export const InPrompt = ({ children }) => html`<aside class="coach is-docked" aria-label="Coach">${children}</aside>`

/** What the coach of a lesson says, and the ways on. @param {Lesson & {say: Say}} props */
export function Words({ coached, title, place, next, more, onGoOn, onBack, onAgain, onSkip, onList, say }) {
  const { says, said, asks, over, taken } = coached
  useEffect(() => { say(said ? [said] : says) }, [coached])
  return html`
    <p class="coach-head"><b>${title}</b>
      <button type="button" class="coach-place" title="All lessons" aria-haspopup="dialog" onClick=${onList}>${place}</button></p>
    ${said ? html`<p class="coach-said">${Icon('cross')}<span>${said}</span></p>` : says.map((text, i) => html`<p key=${i}>${text}</p>`)}
    <div class="coach-keys">
      ${over ? html`<button type="button" class="choice is-main" onClick=${next.go}>${Icon('next')}<span>${next.text}</span></button>
        ${more && html`<button type="button" class="coach-key" onClick=${more.go}><span>${more.text}</span></button>`}`
    : !asks && html`<button type="button" class="choice is-main" onClick=${onGoOn}>${Icon('next')}<span>Go on</span></button>`}
      ${taken.length > 0 && html`<button type="button" class="coach-key" onClick=${onBack}>${Icon('undo')}<span>Back</span></button>`}
      ${over ? html`<button type="button" class="coach-key" onClick=${onAgain}>${Icon('swirl')}<span>Again</span></button>`
    : html`<button type="button" class="coach-key" onClick=${onSkip}><span>Skip</span></button>`}
    </div>`
}

/** What is meant. @param {Element} tray @param {Meant} meant @returns {Element[]} */
const elements = (tray, { zones, pieces }) => [['zone', zones], ['piece', pieces]].flatMap(([kind, ids]) => (
  /** @type {string[]} */ (ids).flatMap(id => [...tray.querySelectorAll(`[data-${kind}="${CSS.escape(id)}"]`)].filter(el => el.getBoundingClientRect().width).slice(0, 1))
))

/** In what it can be scrolled, on the table: a field that a phone does not show whole. @param {Element} el @returns {Element | null} */
function scrollerOf(el) {
  for (let at = el.parentElement; at && !at.classList.contains('tray'); at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight + 1 && getComputedStyle(at).overflowY === 'auto') return at
  }
  return null
}

/** Scrolls to all of what is meant or, where there is no room for it, to the first. @param {Element} tray @param {Meant} meant */
function bringIntoView(tray, meant) {
  for (const el of elements(tray, meant).reverse()) {
    const field = scrollerOf(el)
    if (!field) continue
    const r = el.getBoundingClientRect(), f = field.getBoundingClientRect()
    field.scrollBy(0, Math.min(0, r.top - f.top - GAP) || Math.max(0, r.bottom - f.bottom + GAP))
  }
}

/**
 * Where the bubble covers least of what matters: what is meant, then what may be chosen or read, then the rest.
 * @param {HTMLElement} tray @param {HTMLElement | null} bubble @param {Meant} meant
 */
function placed(tray, bubble, meant) {
  const t = tray.getBoundingClientRect(), w = bubble?.offsetWidth ?? 0, h = bubble?.offsetHeight ?? 0
  const areaOf = (/** @type {Element} */ el) => {
    const r = el.getBoundingClientRect()
    return { left: r.left - t.left, top: r.top - t.top, right: r.right - t.left, bottom: r.bottom - t.top }
  }
  const all = (/** @type {string} */ where) => [...tray.querySelectorAll(where)].map(areaOf).filter(r => r.right > r.left && r.bottom > r.top)
  const rings = elements(tray, meant).map(el => { // as much as is in view
    const r = areaOf(el), seen = areaOf(scrollerOf(el) ?? tray)
    return { left: Math.max(r.left, seen.left), top: Math.max(r.top, seen.top), right: Math.min(r.right, seen.right), bottom: Math.min(r.bottom, seen.bottom) }
  }).filter(r => r.right > r.left && r.bottom > r.top)
  const lit = all('.is-lit, .is-aim, .is-picked'), open = all('.card:not(.is-back), .total, .duel-total, .figure, .ball, .dice'), rest = all('.plaque, .card, .line-say'), field = all('.board')
  const widest = Math.max(GAP, t.width - w - GAP), lowest = Math.max(GAP, t.height - h - GAP)
  const within = (/** @type {number} */ left, /** @type {number} */ top) => ({
    left: Math.min(widest, Math.max(GAP, left)), top: Math.min(lowest, Math.max(GAP, top)),
  })
  const spots = STEPS.flatMap(x => STEPS.map(y => within(x * (t.width - w), y * (t.height - h))))
  for (const r of rings.slice(0, 1)) {
    const x = (r.left + r.right - w) / 2, y = (r.top + r.bottom - h) / 2
    spots.unshift(within(x, r.top - h - GAP), within(x, r.bottom + GAP), within(r.right + GAP, y), within(r.left - w - GAP, y))
  }
  if (t.right + GAP + w < innerWidth) spots.push(...STEPS.map(y => ({ left: t.width + GAP, top: within(0, y * (t.height - h)).top }))) // over the log
  const cost = (/** @type {{left: number, top: number}} */ s) => {
    const over = (/** @type {Area[]} */ areas) => areas.reduce((n, r) => n
      + Math.max(0, Math.min(r.right, s.left + w) - Math.max(r.left, s.left)) * Math.max(0, Math.min(r.bottom, s.top + h) - Math.max(r.top, s.top)), 0)
    return (s.left > t.width ? ASIDE : 0) + 1000 * over(rings) + 8 * over(lit) + 8 * over(open) + over(rest) + over(field) / 8 // a piece on it counts more than all the rest of it
  }
  const best = spots.reduce((a, b) => (cost(b) < cost(a) ? b : a))
  return { ...best, rings: rings.map(r => ({ left: r.left - 4, top: r.top - 4, right: r.right + 4, bottom: r.bottom + 4 })) }
}
