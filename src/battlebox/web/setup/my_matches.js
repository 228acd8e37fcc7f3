// @ts-check
/** The matches that this browser plays, what has become of them, and how to come into another one. */
import { to } from '../place.js'
import { html, useEffect, useRef, useState } from '../ui.js'
import { ApiError, get, post } from '../api.js'
import { Icon } from '../pieces.js'
import { keptOf, othersOf, seatName } from '../seats.js'
import { Dialog, valueTo } from '../shell.js'
import { forget, myMatches, remember, tokenOf, watched } from '../storage.js'
/** @import { Summary } from '../protocol' */
/** @import { Kept } from '../storage.js' */

/**
 * `state`: as GET /api/matches/ID tells it; null: not known, for the reason in `why`.
 * @typedef {{kept: Kept, state: Summary | null, why: string, isWatched: boolean}} Mine
 */

/** So many are asked about, and of those that are watched; older ones are only listed. */
const ASKED = 12, ASKED_WATCHED = 3
const EVERY = 15_000

/** @param {string} id @param {string} token @returns {string} */
export const linkTo = (id, token) => to(`/match/${encodeURIComponent(id)}${token ? `#${token}` : ''}`)

/** My matches and those I watch, told anew every now and then while the page is looked at. @returns {[Mine[], () => void]} */
function useMyMatches() {
  const [mine, setMine] = useState(/** @type {Mine[]} */ ([]))
  const alive = useRef(true)
  const look = async () => {
    if (document.hidden) return
    const all = () => [...myMatches(), ...watched()], own = myMatches().length
    const found = await Promise.all(all().map(async (kept, i) => ({
      ...(i < own ? i < ASKED : i - own < ASKED_WATCHED) ? await asked(kept) : { state: null, why: '' },
      kept, isWatched: i >= own,
    })))
    const known = new Set(all().map(m => m.id)) // `asked` may have forgotten some
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

/** @param {Kept} kept @returns {Promise<Pick<Mine, 'state' | 'why'>>} */
async function asked(kept) {
  try {
    return { state: await get(`/api/matches/${encodeURIComponent(kept.id)}`, kept.token), why: '' }
  } catch (e) {
    if (e instanceof ApiError && e.code === 'not_found') forget(kept.id)
    return { state: null, why: e instanceof Error ? e.message : String(e) }
  }
}

/** My turn first, then what is going on, then what is over. @param {Mine} m */
const urgency = ({ state }) => !state ? 0 : state.room.end ? 1 : state.your_turn ? 3 : 2

/** A match in words: which and with whom; how it stands and since when; what is asked. @param {Mine} m */
function words({ kept, state, why, isWatched }) {
  const room = state?.room, mode = room?.mode ?? kept.mode, others = room ? othersOf(room) : kept.others
  const title = (room?.title || kept.title || kept.id) + (others.length ? `${isWatched ? ':' : ' with'} ${listed(others)}` : '')
  const since = `${isWatched ? 'seen' : 'started'} ${whenOf(kept.at)}`
  const about = (/** @type {string} */ first) => [isWatched && 'Watched', first, mode, since].filter(Boolean).join(' · ')
  if (!state || !room) return { title, text: about(why), more: '' }
  const { end } = room
  if (end) return { title, text: about('Over'), more: end.reason === 'rules' ? state.prompt : end.text }
  return { title, text: about(turnOf(state)), more: state.prompt }
}

/** @param {Summary} state */
function turnOf({ room, to_act, your_turn }) {
  if (your_turn) return 'Your turn'
  if (to_act === null) return 'Waiting for the others'
  const name = seatName(room, to_act)
  return room.seats[to_act]?.kind === 'open' ? `${name} is open` : `Waiting for ${name}`
}

/** "Mara, Otto and Ben". @param {string[]} names */
const listed = names => new Intl.ListFormat('en-GB').format(names)

/** "today 20:31", "3 March 9:05". @param {number} at */
function whenOf(at) {
  const then = new Date(at), time = then.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const isToday = then.toDateString() === new Date().toDateString()
  return `${isToday ? 'today' : then.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })} ${time}`
}

/**
 * One of my matches, and the way to it; where it can be forgotten there is room for what is asked.
 * @param {{mine: Mine, onForget?: () => void}} props
 */
function Resume({ mine, onForget }) {
  const { kept, state, isWatched } = mine, { title, text, more } = words(mine)
  const turn = state?.your_turn && !state.room.end, verb = isWatched ? 'Watch' : 'Continue'
  const asWhom = kept.seat >= 0 ? `?seat=${kept.seat}` : ''
  const href = state?.room.end ? to(`/replay/${kept.id}${asWhom}`) : linkTo(kept.id, kept.token)
  return html`<li class=${`resume ${turn ? 'is-yours' : ''}`} data-game=${state?.room.game ?? kept.game}>
    ${Icon(turn ? 'bell' : state?.room.end ? 'flag' : isWatched ? 'eye' : 'clock')}
    <span class="resume-say"><b title=${title}>${title}</b><span>${text}</span>
      ${onForget && more && html`<span>${more}</span>`}</span>
    <a class=${`choice ${turn ? 'is-main' : ''}`} href=${href}><span>${state?.room.end ? 'Replay' : verb}
      <span class="vh"> ${title}</span></span></a>
    ${onForget && html`<button type="button" class="tool" aria-label=${`Remove ${title}`} title="Remove from this list"
      onClick=${onForget}>${Icon('cross')}</button>`}
  </li>`
}

/** The most urgent of my matches, and a way to all of them, and to those I watch. */
export function MyMatches() {
  const [mine, look] = useMyMatches()
  const [all, setAll] = useState(false)
  const own = mine.filter(m => !m.isWatched), running = own.filter(m => m.state && !m.state.room.end)
  const shown = [running, own, mine].find(some => some.length)?.slice(0, 2)
  if (!shown) {
    return html`<section class="my-matches" aria-label="Your matches">
      <p class="mine-none">Matches you start or join appear here.</p></section>`
  }
  return html`<section class="my-matches" aria-label="Your matches">
    <ul>${shown.map(m => html`<${Resume} key=${m.kept.id} mine=${m} />`)}</ul>
    ${mine.length > 1 && html`
      <button type="button" class="choice mine-all" onClick=${() => setAll(true)}>
        <span>All ${mine.length}${own.length < mine.length ? ' matches' : ' of your matches'}</span></button>`}
    ${all && html`<${AllMine} mine=${mine} look=${look} onClose=${() => setAll(false)} />`}
  </section>`
}

/** @param {{mine: Mine[], look: () => void, onClose: () => void}} props */
function AllMine({ mine, look, onClose }) {
  const list = (/** @type {boolean} */ isWatched) => html`
    <ul class="mine-list">${mine.filter(m => m.isWatched === isWatched).map(m => html`
      <${Resume} key=${m.kept.id} mine=${m} onForget=${() => { forget(m.kept.id); look() }} />`)}</ul>`
  return html`
    <${Dialog} title="Your matches" cls="drawer" onClose=${onClose}>
      <p class="hint">This browser keeps them. To continue on another device, open the match’s full link there.</p>
      ${list(false)}
      ${mine.some(m => m.isWatched) && html`<h3>Watched</h3>${list(true)}`}
    <//>`
}

// ---- joining ------------------------------------------------------------------------------------
/** Match, token and kind of a pasted link or a bare id; null if it is neither. @param {string} text */
function readLink(text) {
  const found = /^(?:\S*\/(match|replay)\/)?([\w-]{1,64})(?:\?\S*?)?(?:#([\w-]*))?$/.exec(text.trim())
  return found && { kind: found[1] ?? 'match', id: found[2] ?? '', token: found[3] ?? '', isId: !found[1] && !found[3] }
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
      setWrong(link.trim() ? 'This is not a link to a match. One looks like …/match/k3v9#…'
        : 'Paste the link you were sent.')
      return
    }
    setBusy(true)
    setWrong('')
    try {
      const { room } = /** @type {Summary} */ (await get(`/api/matches/${found.id}`, found.token))
      if (found.token && room.you !== null) {
        remember({ id: found.id, token: found.token, seat: room.you, ...keptOf(room) })
      }
      if (found.isId && !room.end && !tokenOf(found.id) && room.seats.some(s => s.kind === 'open')) {
        found.token = (await post(`/api/matches/${found.id}/join`, {})).token
      }
      go(found.kind === 'replay' || room.end ? to(`/replay/${found.id}`) : linkTo(found.id, found.token))
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
