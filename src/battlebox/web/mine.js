// @ts-check
/** The matches that this browser plays, what has become of them, and how to come into another one. */
import { to } from './place.js'
import { html, useEffect, useRef, useState } from './ui.js'
import { ApiError, get } from './api.js'
import { Dialog } from './dialog.js'
import { valueTo } from './options.js'
import { Icon } from './pieces.js'
import { forget, myMatches, remember } from './store.js'
/** @import { Table } from './types' */
/** @import { Kept } from './store.js' */

/**
 * `state`: as GET /api/matches/ID tells it; null: not known, for the reason in `why`.
 * @typedef {{table: Table, title: string, prompt: string, your_turn: boolean}} State
 * @typedef {{kept: Kept, state: State | null, why: string}} Mine
 */

/** So many are asked about; older ones are only listed. */
const ASKED = 12
const EVERY = 15_000

/** @param {string} id @param {string} token @returns {string} */
export const linkTo = (id, token) => to(`/match/${encodeURIComponent(id)}${token ? `#${token}` : ''}`)

/** My matches, told anew every now and then while the page is looked at. @returns {[Mine[], () => void]} */
export function useMine() {
  const [mine, setMine] = useState(/** @type {Mine[]} */ ([]))
  const alive = useRef(true)
  const look = async () => {
    if (document.hidden) return
    const found = await Promise.all(myMatches().map((kept, i) => (
      i < ASKED ? asked(kept) : { kept, state: null, why: '' }
    )))
    const known = new Set(myMatches().map(m => m.id)) // `asked` may have forgotten some
    const left = found.filter(m => known.has(m.kept.id))
    if (alive.current) setMine(left.sort((a, b) => urgency(b) - urgency(a)))
  }
  useEffect(() => {
    alive.current = true
    look()
    const timer = setInterval(look, EVERY)
    document.addEventListener('visibilitychange', look)
    return () => {
      alive.current = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return [mine, look]
}

/** @param {Kept} kept @returns {Promise<Mine>} */
async function asked(kept) {
  try {
    return { kept, state: await get(`/api/matches/${encodeURIComponent(kept.id)}`, kept.token), why: '' }
  } catch (e) {
    if (e instanceof ApiError && e.code === 'not_found') forget(kept.id)
    return { kept, state: null, why: e instanceof Error ? e.message : String(e) }
  }
}

/** My turn first, then what is going on, then what is over. @param {Mine} m */
const urgency = ({ state }) => !state ? 0 : state.table.end ? 1 : state.your_turn ? 3 : 2

/** @param {Mine} m */
const words = ({ kept, state, why }) => {
  if (!state) return { title: kept.title || kept.id, text: why || 'Not asked about: there are newer ones.' }
  const { table, title, prompt } = state
  return table.end
    ? { title: `${table.title}, ended`, text: table.end.reason === 'rules' ? prompt : table.end.text }
    : { title: `${table.title}, ${title.slice(0, 1).toLowerCase()}${title.slice(1)}`, text: prompt }
}

/** One of my matches, and the way to it. @param {{mine: Mine, onForget?: () => void}} props */
function Resume({ mine, onForget }) {
  const { kept, state } = mine, { title, text } = words(mine)
  const turn = state?.your_turn && !state.table.end
  const asWhom = kept.seat >= 0 ? `?seat=${kept.seat}` : ''
  const href = state?.table.end ? to(`/replay/${kept.id}${asWhom}`) : linkTo(kept.id, kept.token)
  return html`<li class=${`resume ${turn ? 'is-yours' : ''}`} data-game=${state?.table.game ?? kept.game}>
    ${Icon(turn ? 'bell' : state?.table.end ? 'flag' : 'clock')}
    <span class="resume-say"><b>${title}</b><span>${text}</span></span>
    <a class=${`choice ${turn ? 'is-main' : ''}`} href=${href}><span>${state?.table.end ? 'Replay' : 'Continue'}
      <span class="vh"> ${title}</span></span></a>
    ${onForget && html`<button type="button" class="tool" aria-label=${`Forget ${title}`} title="Forget it"
      onClick=${onForget}>${Icon('cross')}</button>`}
  </li>`
}

/** The most urgent of my matches, and a way to all of them. */
export function MyMatches() {
  const [mine, look] = useMine()
  const [all, setAll] = useState(false)
  const running = mine.filter(m => m.state && !m.state.table.end)
  const shown = (running.length ? running : mine).slice(0, 2)
  if (!mine.length) {
    return html`<section class="my-matches" aria-label="Your matches">
      <p class="mine-none">Matches you begin or join wait for you here.</p></section>`
  }
  return html`<section class="my-matches" aria-label="Your matches">
    <ul>${shown.map(m => html`<${Resume} key=${m.kept.id} mine=${m} />`)}</ul>
    ${mine.length > 1 && html`
      <button type="button" class="choice mine-all" onClick=${() => setAll(true)}>
        <span>All ${mine.length}<span class="vh"> of your matches</span></span></button>`}
    ${all && html`<${AllMine} mine=${mine} look=${look} onClose=${() => setAll(false)} />`}
  </section>`
}

/** @param {{mine: Mine[], look: () => void, onClose: () => void}} props */
const AllMine = ({ mine, look, onClose }) => html`
  <${Dialog} title="Your matches" cls="drawer" onClose=${onClose}>
    <p class="hint">This browser keeps them. To play on elsewhere, take the match’s whole link with you.</p>
    <ul class="mine-list">${mine.map(m => html`<${Resume} key=${m.kept.id} mine=${m}
      onForget=${() => { forget(m.kept.id); look() }} />`)}</ul>
  <//>`

// ---- joining ------------------------------------------------------------------------------------
/** Match, token and kind of a pasted link or id; null if it is neither. @param {string} text */
export function readLink(text) {
  const found = /^(?:\S*\/(match|replay)\/)?([\w-]{1,64})(?:\?\S*?)?(?:#([\w-]*))?$/.exec(text.trim())
  return found && { kind: found[1] ?? 'match', id: found[2] ?? '', token: found[3] ?? '' }
}

/** @param {{go: (url: string) => void}} props */
export function Join({ go }) {
  const [link, setLink] = useState('')
  const [wrong, setWrong] = useState('')
  const [busy, setBusy] = useState(false)
  /** @param {Event} e */
  const join = async e => {
    e.preventDefault()
    const found = readLink(link)
    if (!found) {
      setWrong(link.trim() ? 'This is no link to a match. It looks like …/match/k3v9#…'
        : 'Paste the link you were sent.')
      return
    }
    setBusy(true)
    setWrong('')
    try {
      const { table } = /** @type {State} */ (await get(`/api/matches/${found.id}`, found.token))
      if (found.token && table.you !== null) {
        remember({ id: found.id, token: found.token, game: table.game, title: table.title, seat: table.you })
      }
      go(found.kind === 'replay' || table.end ? to(`/replay/${found.id}`) : linkTo(found.id, found.token))
    } catch (e) {
      setWrong(e instanceof Error ? e.message : String(e))
      setBusy(false)
    }
  }
  return html`<form class="join" onSubmit=${join} aria-label="Join by link" novalidate>
    <label class="vh" for="join-link">A link or a match’s id</label>
    <input id="join-link" class="input" value=${link} placeholder="Paste a link or an id" autocomplete="off"
      autocapitalize="off" spellcheck=${false} aria-invalid=${wrong ? 'true' : undefined}
      aria-describedby=${wrong ? 'join-error' : undefined}
      onInput=${valueTo(setLink)} />
    <button class="choice" disabled=${busy}>${Icon('link')}<span>Join</span></button>
    ${wrong && html`<p class="field-error" id="join-error" role="alert">${wrong}</p>`}
  </form>`
}
