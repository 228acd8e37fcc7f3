// @ts-check
/** Dragging a piece with mouse, pen or finger. A press that moves little stays a tap. */

const SLOP = 8

/**
 * @param {PointerEvent} down
 * @param {{start: () => void, over: (ids: string[]) => void, drop: (ids: string[]) => boolean}} does
 *   `drop` says whether it made a choice; if not, the piece goes back
 */
export function drag(down, { start, over, drop }) {
  const held = down.currentTarget, id = down.pointerId
  if (down.button !== 0 || !(held instanceof HTMLElement || held instanceof SVGGraphicsElement)) return
  // in a drawing the part marked `data-lift` moves, by units of the drawing
  const el = /** @type {HTMLElement | SVGGraphicsElement} */ (held.querySelector('[data-lift]') || held)
  const unit = el instanceof SVGGraphicsElement ? el.getScreenCTM()?.a || 1 : 1
  let isDragged = false, last = ''

  const move = (/** @type {PointerEvent} */ e) => {
    if (e.pointerId !== id) return
    const dx = e.clientX - down.clientX, dy = e.clientY - down.clientY
    if (!isDragged) {
      if (Math.hypot(dx, dy) < SLOP) return
      isDragged = true
      held.setPointerCapture(id)
      el.classList.add('is-dragged')
      start()
    }
    el.style.transform = `translate(${dx / unit}px, ${dy / unit}px)${unit === 1 ? ' rotate(2deg)' : ''}`
    const ids = idsAt(e, held)
    if (ids.join() !== last) over(ids)
    last = ids.join()
  }
  const end = (/** @type {PointerEvent} */ e) => {
    if (e.pointerId !== id) return
    removeEventListener('pointermove', move)
    removeEventListener('pointerup', end)
    removeEventListener('pointercancel', end)
    if (!isDragged) return
    swallowClick()
    const isDone = e.type === 'pointerup' && drop(idsAt(e, held))
    // after a choice the piece stays where it was let go until the next picture moves it on
    setTimeout(() => letGo(el), isDone ? 1200 : 0)
  }
  addEventListener('pointermove', move)
  addEventListener('pointerup', end)
  addEventListener('pointercancel', end)
}

/** Puts a dragged piece back where it belongs. @param {HTMLElement | SVGElement} el */
export function letGo(el) {
  // what was let go at its goal is there: it needs no transition from where it was
  const place = el.hasAttribute('data-lift') && el.classList.contains('is-dragged') ? el.parentElement : null
  if (place) {
    place.setAttribute('data-put', '')
    setTimeout(() => place.removeAttribute('data-put'), 100)
  }
  el.classList.remove('is-dragged')
  el.style.transform = ''
}

/** The ids of the zones and pieces under the pointer. @param {PointerEvent} e @param {Element} dragged */
function idsAt(e, dragged) {
  const under = document.elementsFromPoint(e.clientX, e.clientY).filter(x => !dragged.contains(x))
  const ids = under.flatMap(x => {
    const piece = x.closest('[data-piece]'), zone = x.closest('[data-zone]')
    return [piece?.getAttribute('data-piece'), zone?.getAttribute('data-zone')]
  })
  return /** @type {string[]} */ ([...new Set(ids)].filter(Boolean))
}

/** The click that ends a drag is no tap. It comes in the same task as the end of the drag; any later one is meant. */
function swallowClick() {
  const stop = (/** @type {Event} */ e) => {
    e.stopPropagation()
    e.preventDefault()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }))
}
