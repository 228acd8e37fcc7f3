// @ts-check
/**
 * What players look up: the game in short, what it is played with, every rule at its own address, searchable. As a page
 * and as a drawer. What stands before the rules is printed on two pages.
 */
import { html, useEffect, useMemo, useRef, useState } from './ui.js'
import { get } from './api.js'
import { to } from './place.js'
import { Families, Samples, componentsOf } from './rules_pieces.js'
import { Dialog, Top, showInTab, valueTo } from './shell.js'
import { addStyle, loadTheme, plain } from './theme.js'
/** @import { RulesInfo } from './protocol' */
/** @import { Components } from './rules_pieces.js' */
/** @import { PageProps } from './types' */

await Promise.all(['/web/pages.css', '/web/rules.css'].map(addStyle))

/** The heading of what it is played with. */
const PIECES = { id: 'cards-and-pieces', text: 'Cards and pieces', level: 2 }

/**
 * As the server tells it, with ids, links and tables to scroll; the headings of both parts.
 * @typedef {{id: string, text: string, level: number}} Heading
 * @typedef {{told: RulesInfo, brief: string, rules: string, headings: Heading[][]}} Book
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

/** @param {RulesInfo} told @returns {Book} */
function prepared(told) {
  const [brief, rules] = [told.brief, told.html].map(text => part(text, told.rules))
  return { told, brief: brief.text, rules: rules.text, headings: [brief.headings, rules.headings] }
}

/** A part of the text. @param {string} text @param {Record<string, string>} rules */
function part(text, rules) {
  const { body } = new DOMParser().parseFromString(text, 'text/html')
  body.querySelector('h1')?.remove() // the frame says it
  const headings = [...body.querySelectorAll('h2, h3')].map(h => ({
    id: h.id, text: h.textContent ?? '', level: Number(h.tagName[1]),
  }))
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
  linkRules(body, rules)
  return { text: body.innerHTML, headings }
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
 * @param {{game: string, match?: string, id: string, onId: (id: string) => void, children?: any}} props
 *   `match`: whose cards are shown; `onId`: somebody asks for another rule; children stand above the contents
 */
export function Rulebook({ game, match = '', id, onId, children }) {
  const [it, setIt] = useState(/** @type {Book | null} */ (null))
  const [components, setComponents] = useState(/** @type {Components | null} */ (null))
  const [mode, setMode] = useState('')
  const [wrong, setWrong] = useState('')
  const [sought, setSought] = useState('')
  const text = useRef(/** @type {HTMLElement | null} */ (null))

  const load = () => {
    setWrong('')
    book(game).then(setIt, e => setWrong(e.message))
  }
  useEffect(load, [game])
  useEffect(() => { componentsOf({ game, match, mode }).then(setComponents) }, [game, match, mode])
  const isThere = Boolean(it && components)
  useEffect(() => {
    const target = id && isThere && text.current?.querySelector(`[id="${CSS.escape(id)}"]`)
    if (!(target instanceof HTMLElement)) return undefined
    target.classList.add('is-target')
    target.tabIndex = -1
    target.focus({ preventScroll: true })
    target.scrollIntoView({ block: 'center' })
    return () => target.classList.remove('is-target')
  }, [isThere, id])

  // the html stays as it is while somebody types: the highlighted rule keeps its class
  const article = useMemo(() => it && components && html`
    <article class="rules-text" ref=${text}>
      ${it.headings[0].length > 0 && html`<${Samples} components=${components} />`}
      <div class="rules-brief" dangerouslySetInnerHTML=${{ __html: it.brief }}></div>
      ${components.families.length > 0 && html`<section class="rules-box">
        <h2 id=${PIECES.id}>${PIECES.text}</h2>
        ${!match && it.told.modes.length > 1 && html`
          <label class="field-label" for="rules-mode">Way to play</label>
          <select id="rules-mode" class="input" value=${mode} onChange=${valueTo(setMode)}>
            ${it.told.modes.map((m, i) => html`<option key=${m.name} value=${i ? m.name : ''}>${m.name}</option>`)}
          </select>`}
        <p class="hint">${match ? 'As in this match' : 'As you start it'}: ${components.options}.</p>
        <${Families} components=${components} />
      </section>`}
      <div class="rules-all" dangerouslySetInnerHTML=${{ __html: it.rules }}></div>
    </article>`, [it, components])
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
  if (!it || !components) return html`<p class="rules-wrong" role="status">Loading the rules …</p>`
  const [before, after] = it.headings, headings = [...before, ...components.families.length ? [PIECES] : [], ...after]
  return html`<div class="rulebook" data-game=${game} onClick=${follow}>
    <div class="rules-find">
      <label class="field-label" for="rules-sought">Search the rules</label>
      <input id="rules-sought" type="search" class="input" value=${sought} autocomplete="off"
        placeholder="a word, or a rule’s number"
        onInput=${valueTo(setSought)} />
      ${sought.trim() ? html`<${Found} rules=${it.told.rules} sought=${sought.trim()} />`
        : html`${children}<${Contents} headings=${headings} />`}
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

/**
 * The rules beside a match, with its cards; or beside what is set up.
 * @param {{game: string, match?: string, id?: string, onClose: () => void}} props
 */
export function RulesPanel({ game, match = '', id = '', onClose }) {
  const [at, setAt] = useState(id)
  useEffect(() => setAt(id), [id])
  const page = to(`/rules/${encodeURIComponent(game)}${match && `?match=${encodeURIComponent(match)}`}`)
  return html`<${Dialog} title="Rules" cls="drawer" onClose=${onClose}>
    <${Rulebook} game=${game} match=${match} id=${at} onId=${setAt}>
      <a class="choice" href=${page} target="_blank">Open as a page, to print</a><//><//>`
}

/** `/rules/GAME#WZ-17`; with `?match=ID` the cards are those of a match. @param {PageProps} props */
export default function Page({ path, hash, go }) {
  const game = path[1] ?? '', match = new URLSearchParams(location.search).get('match') ?? ''
  const [title, setTitle] = useState('')
  const [theme, setTheme] = useState(plain(game))
  useEffect(() => {
    loadTheme(game).then(setTheme)
    // when the search is there
    Promise.all([book(game), componentsOf({ game, match })]).then(([b]) => setTitle(b.told.title), () => setTitle(''))
  }, [game, match])
  useEffect(() => showInTab(title ? `${title}: rules` : 'Rules'), [title])
  const toRule = (/** @type {string} */ id) => go(`#${id}`)
  return html`<div class="box is-rules" data-game=${game}>
    ${title && html`<a class="skip" href="#rules-sought">Skip to the search</a>`}
    <${Top} title=${title || 'Rules'} emblem=${theme.emblem} where=${title && 'Rules'} />
    <main class="tray rules-page"><div class="paper">
      <${Rulebook} game=${game} match=${match} id=${decodeURIComponent(hash)} onId=${toRule}>
        <button type="button" class="choice" onClick=${() => print()}>Print on two pages</button><//>
    </div></main>
  </div>`
}
