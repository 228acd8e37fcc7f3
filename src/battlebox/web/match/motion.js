// @ts-check
/**
 * Pieces move from where they were to where they are. Only `transform` moves; nothing waits for it.
 *
 * A piece is known by its id. One whose id is new comes from where a piece of the same code has left
 * or become fewer, else from a face-down pile of its owner that has shrunk, else from the owner's seat.
 * A card that lay face down turns over where it lies, and so do those that come to it.
 */
import { settings } from '../storage.js'

const SLIDE = 320, TURN = 420, EASE = 'cubic-bezier(.2, .7, .2, 1)'
const reduced = matchMedia('(prefers-reduced-motion: reduce)')

/** Whether nothing is to move: the system says so, or a setting. */
export const isStill = () => reduced.matches || !settings().motion

/** @typedef {{code: string, count: number, rect: DOMRect}} Place */
/** @typedef {{count: number, owner: string | undefined, rect: DOMRect}} Heap */
/**
 * @typedef {{pieces: Map<string, Place>, down: Set<string>, piles: Map<string, Heap>}} Picture
 * `down`: the pieces that lie face down, for somebody at least
 */

/**
 * Two different cards may lie under one id one after the other, as on top of a pile.
 * @param {HTMLElement} el
 */
const keyOf = el => `${el.dataset.piece}|${el.dataset.code || ''}`

/** Pieces that move; what lies on a board goes its own way there. */
const MOVING = '[data-piece]:not([data-still] *)'

/** @param {Element | null} root @returns {Picture} */
export function measure(root) {
  /** @type {Picture} */
  const picture = { pieces: new Map(), down: new Set(), piles: new Map() }
  if (!root || isStill()) return picture
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(MOVING))) {
    const { code = '', count = 1 } = el.dataset
    if (el.matches('.is-back, .is-peek')) picture.down.add(el.dataset.piece || '')
    picture.pieces.set(keyOf(el), { code, count: Number(count), rect: el.getBoundingClientRect() })
  }
  for (const el of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('[data-closed]'))) {
    const stack = el.querySelector('.pile-stack') || el
    const rect = stack.getBoundingClientRect()
    picture.piles.set(el.dataset.zone || '', { count: Number(el.dataset.closed), owner: el.dataset.owner, rect })
  }
  return picture
}

/** Moves what has changed its place since `before`. @param {Element | null} root @param {Picture} before */
export function play(root, before) {
  if (!root || isStill() || !before.pieces.size) return
  const now = measure(root), gone = leavers(before, now)
  const all = /** @type {HTMLElement[]} */ ([...root.querySelectorAll(MOVING)])
  const isTurned = (/** @type {HTMLElement} */ { dataset: { piece = '' } }) => before.down.has(piece) && !now.down.has(piece)
  const zoneOf = (/** @type {HTMLElement} */ el) => el.closest('[data-zone]')
  const zones = new Set(all.filter(isTurned).map(zoneOf))
  for (const el of all) {
    const comes = !before.pieces.has(keyOf(el)) && !gone.has(el.dataset.code || '')
    if (isTurned(el) || (comes && zones.has(zoneOf(el)))) {
      turn(el)
      continue
    }
    const old = before.pieces.get(keyOf(el)), to = el.getBoundingClientRect()
    const from = old ? old.rect : origin(root, el, before, now, gone)
    if (from) slide(el, from, to)
  }
}

/**
 * Where pieces were that are no longer there, or are fewer, by code.
 * @param {Picture} before
 * @param {Picture} now
 */
function leavers(before, now) {
  /** @type {Map<string, DOMRect>} */
  const gone = new Map()
  for (const [key, place] of before.pieces) {
    const left = now.pieces.get(key)
    if (place.code && (!left || left.count < place.count)) gone.set(place.code, place.rect)
  }
  return gone
}

/**
 * @param {Element} root @param {HTMLElement} el @param {Picture} before @param {Picture} now
 * @param {Map<string, DOMRect>} gone
 */
function origin(root, el, before, now, gone) {
  const same = gone.get(el.dataset.code || '')
  if (same) return same
  const hand = /** @type {HTMLElement | null} */ (el.closest('.mine')), owner = el.dataset.owner
  for (const [zone, pile] of before.piles) {
    const isFrom = pile.owner ? pile.owner === (owner ?? hand?.dataset.owner) : hand
    if (isFrom && (now.piles.get(zone)?.count ?? 0) < pile.count) return pile.rect
  }
  const seat = owner && root.querySelector(`[data-plaque="${owner}"]`)
  return seat ? middle(seat.getBoundingClientRect(), el.getBoundingClientRect()) : null
}

/** A place of the size of `like` in the middle of a larger one. @param {DOMRect} r @param {DOMRect} like */
function middle(r, like) {
  const w = like.width * 0.5, h = like.height * 0.5
  return new DOMRect(r.x + (r.width - w) / 2, r.y + (r.height - h) / 2, w, h)
}

/** Ends all that moves, for people who do not want to watch. @param {Element | null} root */
export function settle(root) {
  for (const a of root?.getAnimations({ subtree: true }) || []) {
    const isTimed = a.timeline === document.timeline && a.effect?.getComputedTiming().endTime !== Infinity
    if (isTimed) a.finish()
  }
}

/** @param {HTMLElement} el */
function turn(el) {
  /** @type {KeyframeAnimationOptions} */
  const how = { duration: TURN, easing: 'ease-in-out', fill: 'backwards' }
  const about = (/** @type {number} */ angle) => ({ transform: `perspective(600px) rotateY(${angle}deg)` })
  el.animate([about(180), about(0)], how)
  const back = [{ opacity: 1, easing: 'step-end' }, { opacity: 0, offset: 0.5 }, { opacity: 0 }] // until it is on edge
  el.animate(back, { ...how, easing: 'linear', pseudoElement: '::after' })
}

/** @param {HTMLElement} el @param {DOMRect} from @param {DOMRect} to */
function slide(el, from, to) {
  const dx = from.x + from.width / 2 - to.x - to.width / 2
  const dy = from.y + from.height / 2 - to.y - to.height / 2
  const scale = to.width ? from.width / to.width : 1
  if (Math.abs(dx) < 2 && Math.abs(dy) < 2 && Math.abs(scale - 1) < 0.02) return
  el.animate(
    [
      { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 60 },
      { transform: 'none', zIndex: 60 },
    ],
    { duration: SLIDE, easing: EASE },
  )
}
