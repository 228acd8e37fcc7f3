// @ts-check
/** What every page has: the top bar with its tools, dialogs, the browser's tab; and the pages of a few words. */
import { Icon } from './pieces.js'
import { BASE } from './place.js'
import * as storage from './storage.js'
import { html, useEffect, useRef, useState } from './ui.js'
/** @import { Child, View } from './vendor/preact.js' */

/**
 * A tool of the top bar.
 * @param {{icon: string, label: string, onClick: (e: Event) => void, cls?: string}} props
 */
export const Tool = ({ icon, label, onClick, cls = '', ...more }) => html`
  <button type="button" class=${'tool ' + cls} aria-label=${label} title=${label} onClick=${onClick}
    ...${more}>
    ${Icon(icon)}
  </button>`

const THEMES = /** @type {const} */ (['', 'light', 'dark'])
const THEME_WORDS = { '': 'same as the system', light: 'light', dark: 'dark' }
const THEME_ICONS = { '': 'auto', light: 'sun', dark: 'moon' }
const dark = matchMedia('(prefers-color-scheme: dark)')

/** Shows the chosen theme, or the system's; cards as large, and as lively, as is liked here. */
export function applySettings() {
  const root = document.documentElement, { size, motion } = storage.settings()
  root.dataset.theme = storage.theme() || (dark.matches ? 'dark' : 'light')
  root.dataset.motion = motion ? '' : 'off'
  root.style.setProperty('--card-scale', String(size))
}
dark.addEventListener('change', applySettings)

/** Light, dark, or as the system has it. */
export function ThemeTool() {
  const [theme, setTheme] = useState(storage.theme())
  const change = () => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]
    storage.setTheme(next)
    setTheme(next)
    applySettings()
  }
  return html`<${Tool} icon=${THEME_ICONS[theme]} label=${`Colours: ${THEME_WORDS[theme]}. Change`}
    cls="theme-tool" onClick=${change} />`
}

/**
 * The top bar. `title` and `emblem` name the game, `where` says what is open; children are tools.
 * @param {{title?: string, emblem?: string, where?: string, children?: Child}} props
 */
export const Top = ({ title, emblem, where, children }) => html`
  <header class="top">
    <a class="brand" href=${BASE} aria-label="battlebox: back to the box">
      ${Icon('mark')}<span>battlebox</span>
    </a>
    ${title ? html`<h1 title=${title}>${emblem && Icon(emblem)}${title}</h1>` : html`<h1 class="vh">battlebox</h1>`}
    <span class="where" title=${where}>${where}</span>
    <nav class="tools" aria-label="Tools">${children}<${ThemeTool} /></nav>
  </header>`

/**
 * A component of a module that is loaded when it is needed.
 * @param {{load: () => Promise<any>, name: string, [more: string]: any}} props
 */
export function Later({ load, name, ...props }) {
  const [found, setFound] = useState(/** @type {{View: View} | null} */ (null))
  const [failed, setFailed] = useState(false)
  useEffect(() => { load().then(module => setFound({ View: module[name] }), () => setFailed(true)) }, [])
  if (failed) return html`<p role="alert">This could not be loaded. Is the server still running?</p>`
  return found && html`<${found.View} ...${props} />`
}

/** A page of a few words, and one way on. @param {{title: string, text: string, children?: Child}} props */
export const Plain = ({ title, text, children }) => html`
  <div class="box is-plain">
    <${Top} />
    <main class="tray"><div class="plain"><section class="paper">
      <h2>${title}</h2><p>${text}</p>
      ${children || html`<a class="choice is-main" href=${BASE}>${Icon('mark')}<span>Back to the box</span></a>`}
    </section></div></main>
  </div>`

/**
 * A listener that hands on the value of its field.
 * @param {(value: string) => void} use
 * @returns {(e: any) => void}
 */
export const valueTo = use => e => use(e.currentTarget.value)

/** What is wrong, said at the field it belongs to. @param {{id: string, text?: string}} props */
export const FieldError = ({ id, text }) => text
  ? html`<p class="field-error" id=${`${id}-error`} role="alert">${text}</p>` : null

// ---- dialogs ---------------------------------------------------------------------------------------
/**
 * A dialog: keeps the focus inside, closes with Esc, with its button and beside it.
 * @param {{title: string, onClose: () => void, cls?: string, children?: Child}} props
 */
export function Dialog({ title, onClose, cls = '', children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null))
  useEffect(() => {
    const dialog = ref.current, before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const beside = (/** @type {MouseEvent} */ e) => { if (e.target === ref.current) onClose() }
  const cancel = (/** @type {Event} */ e) => {
    e.preventDefault()
    onClose()
  }
  return html`
    <dialog ref=${ref} class=${cls} aria-label=${title} onClick=${beside} onCancel=${cancel}>
      <div class="dialog">
        <div class="dialog-head">
          <h2>${title}</h2>
          <button type="button" class="tool" aria-label="Close" onClick=${onClose}>${Icon('cross')}</button>
        </div>
        ${children}
      </div>
    </dialog>`
}

// ---- the browser's tab -----------------------------------------------------------------------------
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

/** Says in the browser's tab what is open, and, if something is mine to do, what. @param {string} title @param {string} [cue] */
export function showInTab(title, cue = '') {
  document.title = cue ? `● ${cue} · ${title}` : title
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'))
  const href = icon(Boolean(cue))
  if (link && link.getAttribute('href') !== href) link.href = href
}
