// @ts-check
/** The rules of a game: contents, search, every rule at its own address. As a page and as a drawer. */
import { html, useEffect, useMemo, useRef, useState } from './ui.js'
import { get } from './api.js'
import { Dialog, Top, showInTab, valueTo } from './shell.js'
import { addStyle, loadTheme, plain } from './theme.js'
/** @import { PageProps } from './types' */

await Promise.all(['/web/pages.css', '/web/rules.css'].map(addStyle))

/**
 * As the server tells it, and what is made of it: `text` is the html with ids, links and tables to scroll.
 * @typedef {{name: string, title: string, html: string, rules: Record<string, string>}} Told
 * @typedef {{id: string, text: string, level: number}} Heading
 * @typedef {Told & {text: string, headings: Heading[]}} Book
 */

/** @type {Map<string, Promise<Book>>} */
const books = new Map()

/** @param {string} game @returns {Promise<Book>} */
function book(game) {
  let found = books.get(game)
  if (!found) {
    found = get(`/api/games/${encodeURIComponent(game)}/rules`).then(prepared)
    found.catch(() => books.delete(game)) // so that it can be tried again
    books.set(game, found)
  }
  return found
}

/** @param {Told} told @returns {Book} */
function prepared(told) {
  const { body } = new DOMParser().parseFromString(told.html, 'text/html')
  body.querySelector('h1')?.remove() // the frame says it
  const headings = [...body.querySelectorAll('h2, h3')].map((h, i) => {
    h.id = h.id || `section-${i + 1}`
    return { id: h.id, text: h.textContent ?? '', level: Number(h.tagName[1]) }
  })
  body.querySelectorAll('table').forEach((table, i) => {
    const around = body.ownerDocument.createElement('div')
    around.className = 'wide'
    around.setAttribute('role', 'region')
    around.setAttribute('aria-label', `Table ${i + 1}`)
    table.replaceWith(around)
    around.append(table)
  })
  // what may be wider than the page is scrolled sideways, by keyboard, too
  for (const wide of body.querySelectorAll('.wide, pre')) wide.setAttribute('tabindex', '0')
  for (const a of body.querySelectorAll('a')) {
    const to = a.getAttribute('href') ?? ''
    if (/^https?:/.test(to)) a.rel = 'noopener noreferrer'
    else if (!to.startsWith('#')) a.replaceWith(...a.childNodes) // a file beside the text
  }
  linkRules(body, told.rules)
  return { ...told, text: body.innerHTML, headings }
}

/**
 * Every mention of a rule becomes a link to it.
 * @param {HTMLElement} body
 * @param {Record<string, string>} rules
 */
function linkRules(body, rules) {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  /** @type {Text[]} */
  const texts = []
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode))
  for (const text of texts) {
    if (text.parentElement?.closest('a, code, pre')) continue
    const parts = text.data.split(/\b([A-Z]{1,3}-?\d+)\b/)
    if (!parts.some((x, i) => i % 2 && x in rules)) continue
    text.replaceWith(...parts.map((x, i) => {
      if (i % 2 === 0 || !(x in rules)) return x
      const a = body.ownerDocument.createElement('a')
      a.href = `#${x}`
      a.textContent = x
      return a
    }))
  }
}

/**
 * The rules whose id or text has all the words.
 * @param {Record<string, string>} rules
 * @param {string} sought
 */
function search(rules, sought) {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean)
  return Object.entries(rules).filter(([id, text]) => {
    const all = `${id} ${text}`.toLowerCase()
    return words.every(w => all.includes(w))
  })
}

/** The text with the sought words marked. @param {{text: string, sought: string}} props */
function Marked({ text, sought }) {
  const words = sought.split(/\s+/).filter(Boolean).map(w => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const parts = words.length ? text.split(new RegExp(`(${words.join('|')})`, 'gi')) : [text]
  return html`${parts.map((x, i) => i % 2 ? html`<mark>${x}</mark>` : x)}`
}

/** Markdown marks that the plain texts of rules still have. @param {string} text */
const unmarked = text => text.replace(/[*`]+/g, '')

/**
 * @param {{game: string, id: string, onId: (id: string) => void}} props
 *   `onId`: somebody asks for another rule
 */
export function Rulebook({ game, id, onId }) {
  const [it, setIt] = useState(/** @type {Book | null} */ (null))
  const [wrong, setWrong] = useState('')
  const [sought, setSought] = useState('')
  const text = useRef(/** @type {HTMLElement | null} */ (null))

  const load = () => {
    setWrong('')
    book(game).then(setIt, e => setWrong(e.message))
  }
  useEffect(load, [game])
  useEffect(() => {
    const target = id && it && text.current?.querySelector(`[id="${CSS.escape(id)}"]`)
    if (!(target instanceof HTMLElement)) return undefined
    target.classList.add('is-target')
    target.tabIndex = -1
    target.focus({ preventScroll: true })
    target.scrollIntoView({ block: 'center' })
    return () => target.classList.remove('is-target')
  }, [it, id])

  // the html stays as it is while somebody types: the highlighted rule keeps its class
  const article = useMemo(() => html`
    <article class="rules-text" ref=${text}
      dangerouslySetInnerHTML=${{ __html: it?.text ?? '' }}></article>`, [it])
  /** @param {MouseEvent} e */
  const follow = e => {
    const a = e.target instanceof Element && e.target.closest('a[href^="#"]')
    if (!a) return
    e.preventDefault()
    onId(decodeURIComponent(a.getAttribute('href')?.slice(1) ?? ''))
  }

  if (wrong) {
    return html`<div class="rules-wrong" role="alert"><p>${wrong}</p>
      <button type="button" class="choice" onClick=${load}>Try again</button></div>`
  }
  if (!it) return html`<p class="rules-wrong" role="status">Loading the rules …</p>`
  return html`<div class="rulebook" onClick=${follow}>
    <div class="rules-find">
      <label class="field-label" for="rules-sought">Search the rules</label>
      <input id="rules-sought" type="search" class="input" value=${sought} autocomplete="off"
        placeholder="a word, or a rule’s number"
        onInput=${valueTo(setSought)} />
      ${sought.trim() ? html`<${Found} rules=${it.rules} sought=${sought.trim()} />`
        : html`<${Contents} headings=${it.headings} />`}
    </div>
    ${article}
  </div>`
}

/** @param {{rules: Record<string, string>, sought: string}} props */
function Found({ rules, sought }) {
  const found = search(rules, sought)
  const many = found.length === 1 ? '1 rule' : `${found.length || 'No'} rules`
  return html`<p class="rules-count" role="status">${many} with “${sought}”</p>
    <ol class="rules-found" aria-label="Rules found">${found.slice(0, 40).map(([id, text]) => html`
      <li key=${id}><a href=${`#${id}`}><b><${Marked} text=${id} sought=${sought} /></b>
        <span><${Marked} text=${unmarked(text)} sought=${sought} /></span></a></li>`)}</ol>`
}

/** @param {{headings: Heading[]}} props */
function Contents({ headings }) {
  const wide = matchMedia('(min-width: 821px)').matches
  return html`<details class="rules-contents" open=${wide}><summary>Contents</summary>
    <nav aria-label="Contents"><ul>${headings.map(h => html`
      <li key=${h.id} class=${`is-h${h.level}`}><a href=${`#${h.id}`}>${h.text}</a></li>`)}</ul></nav>
  </details>`
}

/** The rules beside a match. @param {{game: string, id?: string, onClose: () => void}} props */
export function RulesPanel({ game, id = '', onClose }) {
  const [at, setAt] = useState(id)
  useEffect(() => setAt(id), [id])
  return html`<${Dialog} title="Rules" cls="drawer" onClose=${onClose}>
    <${Rulebook} game=${game} id=${at} onId=${setAt} /><//>`
}

/** `/rules/GAME#WZ-17`. @param {PageProps} props */
export default function Page({ path, hash, go }) {
  const game = path[1] ?? ''
  const [title, setTitle] = useState('')
  const [theme, setTheme] = useState(plain(game))
  useEffect(() => {
    loadTheme(game).then(setTheme)
    book(game).then(b => setTitle(b.title), () => setTitle(''))
  }, [game])
  useEffect(() => showInTab(title ? `${title}: rules` : 'Rules'), [title])
  const toRule = (/** @type {string} */ id) => go(`#${id}`)
  return html`<div class="box is-rules" data-game=${game}>
    ${title && html`<a class="skip" href="#rules-sought">Skip to the search</a>`}
    <${Top} title=${title || 'Rules'} emblem=${theme.emblem} where=${title && 'Rules'} />
    <main class="tray rules-page"><div class="paper">
      <${Rulebook} game=${game} id=${decodeURIComponent(hash)} onId=${toRule} />
    </div></main>
  </div>`
}
