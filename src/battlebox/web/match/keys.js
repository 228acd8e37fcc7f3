// @ts-check
/** The keyboard at the table. */

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** What moves about the page and skips nothing. */
const KEYS_OF_PAGE = /^(Tab|Shift|Arrow\w+|Page\w+|Home|End)$/

/** The things in a group that arrows walk through. @param {Element} group */
const itemsOf = group => /** @type {HTMLElement[]} */ ([...group.querySelectorAll('[data-item]')])

/**
 * Keeps one item of each group in the order of Tab; the others are reached by arrows.
 * @param {Element} root
 */
export function tidyTabs(root) {
  for (const group of root.querySelectorAll('[data-rove]')) {
    const items = itemsOf(group), at = items.find(i => i === document.activeElement) ||
      items.find(i => i.getAttribute('tabindex') === '0') ||
      items.find(i => i.getAttribute('aria-pressed')) || items[0]
    keepInTab(items, at)
  }
}

/** Each write lays the page out anew. @param {Element[]} items @param {Element} one */
export function keepInTab(items, one) {
  for (const item of items) {
    const to = item === one ? '0' : '-1'
    if (item.getAttribute('tabindex') !== to) item.setAttribute('tabindex', to)
  }
}

/**
 * @param {KeyboardEvent} e
 * @param {{skip: () => boolean, back: () => boolean, press: (key: string) => boolean, hint: () => boolean, again: () => boolean, undo: () => boolean}} does
 *   each says whether there was something to do
 */
export function onKey(e, does) {
  if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return
  if (document.querySelector('dialog[open]')) return
  const target = e.target instanceof Element ? e.target : null
  if (target?.closest('input, select, textarea')) return
  if (e.repeat && (/^[0-9hu]$/i.test(e.key) || e.key === 'Enter')) return e.preventDefault() // one press, one deed
  const isOfPage = KEYS_OF_PAGE.test(e.key) || (target?.closest('button, a, summary') && /^(Enter| )$/.test(e.key))
  if (!isOfPage && does.skip()) return e.preventDefault()
  if (e.key === 'Escape' && does.back()) return e.preventDefault()
  if (/^[0-9]$/.test(e.key) && does.press(e.key)) return e.preventDefault()
  if (e.key === 'Enter' && !isOfPage && does.press(e.key)) return e.preventDefault()
  if (/^h$/i.test(e.key) && does.hint()) return e.preventDefault()
  if (/^r$/i.test(e.key) && does.again()) return e.preventDefault()
  if (/^u$/i.test(e.key) && does.undo()) return e.preventDefault()
  const group = STEPS[e.key] && target?.closest('[data-rove]')
  if (group) walk(e, group, /** @type {HTMLElement} */ (target))
}

/** @param {KeyboardEvent} e @param {Element} group @param {HTMLElement} from */
function walk(e, group, from) {
  const items = itemsOf(group), at = items.indexOf(from)
  if (at < 0 || items.length < 2) return
  const next = items[(at + STEPS[e.key] + items.length) % items.length]
  keepInTab(items, next)
  next.focus()
  e.preventDefault()
}
