// @ts-check
/** The start: from the address to the page's module, and what to say when something breaks. */
import { segments, urlTo } from './place.js'
import { Plain, applySettings } from './shell.js'
import { Component, html, render, useCallback, useEffect, useState } from './ui.js'
/** @import { PageProps } from './types' */
/** @import { View } from './vendor/preact.js' */

/**
 * Pages by the first segment of the path; loaded when they are needed.
 * @type {Record<string, () => Promise<any>>}
 */
const PAGES = {
  '': () => import('./setup/home.js'),
  match: () => import('./match/page.js'),
  replay: () => import('./review/replay.js'),
  rules: () => import('./rules.js'),
  learn: () => import('./learn/learn.js'),
}

const here = () => ({
  path: segments(location.pathname),
  hash: location.hash.slice(1),
})

/** Shows in plain words that a page broke, instead of an empty window. */
class Guard extends Component {
  /** @param {{children?: any}} props */
  constructor(props) {
    super(props)
    this.state = /** @type {{broke: boolean}} */ ({ broke: false })
  }

  /** @param {unknown} error */
  componentDidCatch(error) {
    console.error(error)
    this.setState({ broke: true })
  }

  render() {
    if (!(/** @type {{broke: boolean}} */ (this.state).broke)) return this.props.children
    const again = () => location.reload()
    return html`
      <${Plain} title="Something went wrong"
        text="The page has stopped working. Your match is saved on the server: reload the page to continue.">
        <button type="button" class="choice is-main" onClick=${again}><span>Reload</span></button>
      <//>`
  }
}

function App() {
  const [at, setAt] = useState(here)
  const [page, setPage] = useState(/** @type {{name: string, Page: View<PageProps>} | null} */ (null))
  const [failed, setFailed] = useState(false)
  const name = at.path[0] || '', load = PAGES[name]

  const go = useCallback((/** @type {string} */ url, replace = false) => {
    if (replace) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    setAt(here())
    if (!replace) scrollTo(0, 0)
  }, [])

  useEffect(() => {
    const moved = () => setAt(here())
    addEventListener('popstate', moved)
    addEventListener('hashchange', moved)
    return () => {
      removeEventListener('popstate', moved)
      removeEventListener('hashchange', moved)
    }
  }, [])
  useEffect(() => followLinks(go), [])
  useEffect(() => {
    if (!load) return
    let wanted = true
    setFailed(false)
    load().then(
      module => { if (wanted) setPage({ name, Page: module.default }) },
      error => { console.error(error); if (wanted) setFailed(true) },
    )
    return () => { wanted = false }
  }, [name])

  if (!load) {
    const text = `There is no page at ${location.pathname}.`
    return html`<${Plain} title="Page not found" text=${text} />`
  }
  if (failed) {
    const again = () => location.reload()
    return html`
      <${Plain} title="The page could not be loaded"
        text="The server cannot be reached. Is battlebox still running?">
        <button type="button" class="choice is-main" onClick=${again}><span>Try again</span></button>
      <//>`
  }
  if (page?.name !== name) return null // for a moment; the last page must not be drawn at this address
  const key = at.path.join('/')
  return html`<${Guard} key=${key}><${page.Page} path=${at.path} hash=${at.hash} go=${go} /><//>`
}

/** Lets links within the page change it without loading it anew. @param {(url: string) => void} go */
function followLinks(go) {
  const onClick = (/** @type {MouseEvent} */ e) => {
    const a = e.target instanceof Element && e.target.closest('a')
    const plain = e.button === 0 && !(e.metaKey || e.ctrlKey || e.shiftKey || e.altKey || e.defaultPrevented)
    if (!a || !plain || a.target || a.hasAttribute('download') || !a.href.startsWith(urlTo('/'))) return
    const page = segments(a.pathname)[0] || ''
    if (!(page in PAGES) || (a.pathname === location.pathname && a.hash)) return
    e.preventDefault()
    go(a.pathname + a.search + a.hash)
  }
  document.addEventListener('click', onClick)
  return () => document.removeEventListener('click', onClick)
}

applySettings()
render(html`<${App} />`, /** @type {Element} */ (document.getElementById('app')))

// the page of a match is fetched when nothing else is to do, so that a new match opens at once
const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ f) => setTimeout(f))
addEventListener('load', () => setTimeout(() => idle(() => { import('./match/page.js').catch(() => {}) }), 1500))
