// @ts-check
/** Says in the browser's tab whether it is my turn: in the title, and in the icon. */

/**
 * The box, with a brass dot when it is my turn; drawn here, so that it costs no request.
 * @param {boolean} mine
 */
function icon(mine) {
  const dot = mine ? '<circle cx="37" cy="11" r="11" fill="#f2cd6a" stroke="#5d4306" stroke-width="3"/>' : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">
    <g fill="none" stroke="#24160a" stroke-width="3" stroke-linejoin="round">
      <path fill="#c69560" d="M24 4 43 14v20L24 44 5 34V14z"/><path d="M5 14l19 10 19-10M24 24v20"/>
    </g>${dot}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** @param {string} title @param {string} [cue] what is to do, if it is mine */
export function showInTab(title, cue = '') {
  document.title = cue ? `● ${cue} · ${title}` : title
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'))
  const href = icon(Boolean(cue))
  if (link && link.getAttribute('href') !== href) link.href = href
}
