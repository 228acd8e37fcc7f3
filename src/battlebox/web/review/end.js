// @ts-check
/** What a match came to: result, standings, the last events, the dice, and what one may do next. */
import { BASE, to } from '../place.js'
import { html, useLayoutEffect, useRef, useState } from '../ui.js'
import { post, text } from '../api.js'
import { linkTo } from '../setup/my_matches.js'
import { Chip, Icon } from '../pieces.js'
import { seatName, seatNote } from '../seats.js'
import { commitmentOf, remember } from '../storage.js'
import { addStyle } from '../theme.js'
import { verify } from './verify.js'
import { ReviewPanel } from './review_panel.js'
import { Badge } from '../match/zones.js'
/** @import { useReview } from './review.js' */
/** @import { RoomMessage } from '../protocol' */
/** @import { EventView, Scene, Theme } from '../types' */
/** @import { Verdict } from './verify.js' */

await Promise.all(['/web/pages.css', '/web/review/end.css'].map(addStyle)) // fields and drawers are all pages'

/**
 * @typedef {{room: RoomMessage, theme: Theme, scene: Scene, told: EventView[], review: ReturnType<typeof useReview>, token?: string,
 *   go: (url: string) => void}} Props
 */

/** How many of the last sentences are shown. */
const LAST = 15

/** A headline with more letters names many, and is smaller. */
const LONG = 40

/** @param {Props} props */
export function EndPanel({ room, theme, scene, told, review, token = '', go }) {
  if (!room.end) return null
  return html`<div class="end" data-game=${room.game}>
    <${Result} room=${room} theme=${theme} scene=${scene} />
    <${LastEvents} told=${told} room=${room} theme=${theme} />
    <${FairDice} room=${room} token=${token} />
    <${After} room=${room} token=${token} go=${go} />
    <${ReviewPanel} room=${room} review=${review} />
  </div>`
}

/**
 * Who won, in big letters, and why: the scene's own words, or the server's where the rules had no say.
 * @param {RoomMessage} room @param {Scene} scene
 */
export function resultOf(room, scene) {
  const said = scene.over ? scene.prompt : withoutRules(room)
  const [, head = said, why = ''] = /^([^:.!]+)[:.!]\s*(.*)$/.exec(said) ?? []
  return { head, why: why && why.slice(0, 1).toUpperCase() + why.slice(1) }
}

/** How it ended where the rules had no say, in words for this viewer. @param {RoomMessage} room */
function withoutRules({ end, you, seats }) {
  if (!end) return 'The match is over.'
  const mine = you === null ? null : end.returns[you]
  if (end.reason !== 'resigned' || you === null || mine === null) return end.text
  if (seats[you].resigned) return `You gave up: ${end.text.split(': ')[1] || 'the match is over.'}`
  return mine > 0 ? `You win: ${end.text.split(':')[0]}.` : end.text
}

// ---- result and standings -----------------------------------------------------------------------
/** @param {{room: RoomMessage, theme: Theme, scene: Scene}} props */
function Result({ room, theme, scene }) {
  const { head, why } = resultOf(room, scene), rows = standings(room, scene)
  const won = rows.some(r => r.seat === room.you && r.won)
  return html`<section class=${`paper win ${won ? 'is-won' : ''}`} aria-label="Result">
    <div class="head"><span class="cup">${Icon(won || room.you === null ? 'trophy' : 'flag')}</span>
      <div><h2 class=${head.length > LONG ? 'is-long' : ''}>${head}</h2>${why && html`<p>${why}</p>`}</div></div>
    <ol class="standings" aria-label="Standings">${rows.map(r => html`<li key=${r.seat}>
      <span class="place">${r.won ? html`${Icon('trophy')}<span class="vh">Won: </span>` : r.back === null && '–'}</span>${Badge(theme, r.seat, 'is-small')}
      <span class="who" title=${[seatName(room, r.seat), r.note].filter(Boolean).join(', ')}><b>${seatName(room, r.seat)}</b> <small>${r.note}</small></span>
      <span class="chips">${r.chips.map(c => Chip(c))}</span>
      <span class="num">${r.text}</span></li>`)}</ol>
  </section>`
}

/**
 * Seats by what the match returned them; among equals who is still in, then who has more points. The rules know who
 * has won, also together, and no places behind.
 * @param {RoomMessage} room @param {Scene} scene
 */
export function standings(room, scene) {
  const rows = room.seats.map(({ seat }) => {
    const facts = scene.zones.find(z => z.kind === 'plaque' && z.owner === seat)?.facts ?? {}
    const back = room.end?.returns?.[seat] ?? null
    const points = typeof facts.points === 'number' ? facts.points : null
    const text = facts.out ? 'out' : points === null ? '' : `${points} ${facts.points_name ?? 'points'}`
    /** @type {string[]} */
    const chips = (scene.over && facts.chips || []).filter((/** @type {string} */ c) => c !== text)
    const note = [facts.team, seatNote(room, seat)].filter(Boolean).join(', ')
    return { seat, back, points: points ?? 0, out: Boolean(facts.out), won: false, text, chips, note }
  })
  rows.sort((a, b) => (
    (b.back ?? -2) - (a.back ?? -2) || Number(a.out) - Number(b.out) || b.points - a.points
  ))
  const best = rows[0].back, least = rows[rows.length - 1].back
  return rows.map(r => ({ ...r, won: best !== null && best !== least && r.back === best }))
}

/** Shows the end of a list that is too long, from the beginning of a line. @param {HTMLElement} list */
function showEnd(list) {
  list.style.paddingBottom = ''
  list.scrollTop = list.scrollHeight
  const { top } = list.getBoundingClientRect()
  const cut = [...list.children].map(line => line.getBoundingClientRect()).find(r => r.top < top - 1 && r.bottom > top + 1)
  if (!cut) return
  list.style.paddingBottom = `${cut.bottom - top}px`
  list.scrollTop = list.scrollHeight
}

/** @param {{told: EventView[], room: RoomMessage, theme: Theme}} props */
function LastEvents({ told, room, theme }) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null))
  useLayoutEffect(() => {
    const list = ref.current
    if (!list) return
    const fitting = new ResizeObserver(() => showEnd(list))
    fitting.observe(list)
    return () => fitting.disconnect()
  }, [])
  return html`
  <section class="paper last" aria-label="The last events"><h2>How it ended</h2>
    <ol tabindex="0" aria-label="Events, the last one at the end" ref=${ref}>
      ${told.filter(t => t.text).slice(-LAST).map((t, i) => html`<li key=${i}>
      ${typeof t.args.seat === 'number' ? Badge(theme, t.args.seat, 'is-small') : Icon('right')}
      <span>${t.text}</span></li>`)}
      ${room.end?.reason !== 'rules' && html`<li>${Icon('flag')}<span>${withoutRules(room)}</span></li>`}
    </ol></section>`
}

// ---- the dice -----------------------------------------------------------------------------------
/** @param {{room: RoomMessage, token: string}} props */
export function FairDice({ room, token }) {
  const [verdict, setVerdict] = useState(/** @type {Verdict | null} */ (null))
  const [busy, setBusy] = useState(false)
  const { commitment } = room.fair
  if (!commitment) {
    return html`<section class="paper fair"><h2>Fair dice</h2>
      <p>This match was played with a chosen seed. The person who chose it could know all cards and dice in
        advance, so there is no hash to check.</p></section>`
  }
  const check = async () => {
    setBusy(true)
    const seen = commitmentOf(room.id)
    const found = await text(recordOf(room), token).then(
      record => verify(record, seen),
      e => ({ ok: false, outcomes: 0, line: 0, message: e.message }),
    )
    setVerdict(found)
    setBusy(false)
  }
  return html`<section class="paper fair"><h2>Fair dice</h2>
    <p>Dice and shuffles derive from a secret. You saw its hash before the first card and can see the secret
      itself now: your browser can work out every roll and shuffle again and compare.</p>
    <button type="button" class="choice" disabled=${busy} onClick=${check}>${Icon('die')}
      <span>${busy ? 'Checking …' : 'Check the dice'}</span></button>
    <div role="status">${verdict && html`<p class="verdict" data-ok=${String(verdict.ok)}>
      ${Icon(verdict.ok ? 'check' : 'cross')}<span>${verdict.message}</span></p>`}</div>
    <p class="commitment">The hash: <code>${commitment}</code></p>
  </section>`
}

/** @param {RoomMessage} room */
const recordOf = room => `/api/matches/${encodeURIComponent(room.id)}/record`

// ---- what next ----------------------------------------------------------------------------------
/** @param {{room: RoomMessage, token: string, go: (url: string) => void}} props */
function After({ room, token, go }) {
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  const mine = room.you !== null && token
  const again = async () => {
    setBusy(true)
    setWrong('')
    try {
      const next = await post(`/api/matches/${encodeURIComponent(room.id)}/rematch`, {}, token)
      const { id, seat } = next
      if (next.token) {
        remember({ id, token: next.token, game: room.game, title: room.title, seat: seat ?? -1 })
      }
      go(linkTo(id, next.token))
    } catch (e) {
      setWrong(e instanceof Error ? e.message : String(e))
      setBusy(false)
    }
  }
  const seat = room.you === null ? '' : `?seat=${room.you}`
  /** A link sends no token, and spectators who see it later get no record yet. @param {MouseEvent} e */
  const save = async e => {
    const link = /** @type {HTMLAnchorElement} */ (e.currentTarget), blob = link.href.startsWith('blob:')
    if (blob) return
    e.preventDefault()
    try {
      link.href = URL.createObjectURL(new Blob([await text(recordOf(room), token)], { type: 'text/plain' }))
      link.click()
    } catch (why) {
      setWrong(why instanceof Error ? why.message : String(why))
    }
  }
  return html`<section class="paper after" aria-label="What next">
    ${mine && html`<button type="button" class="choice is-main" disabled=${busy} onClick=${again}>
      ${Icon('swirl')}<span>${room.rematch ? 'Join the next match' : 'Play again'}</span></button>`}
    ${!mine && room.rematch && html`<a class="choice is-main" href=${linkTo(room.rematch, '')}>
      ${Icon('eye')}<span>Watch the next match</span></a>`}
    <a class="choice" href=${to(`/replay/${room.id}${seat}`)}>${Icon('play')}<span>Watch the replay</span></a>
    <a class="choice" href=${to(recordOf(room))} download=${`${room.game}-${room.id}.match`} onClick=${mine && save}>
      ${Icon('down')}<span>Save the record</span></a>
    <a class="choice home" href=${BASE}>${Icon('mark')}<span>Back to the box</span></a>
    ${/* last: nothing moves under a finger */ mine && room.rematch && html`
      <p class="said" role="status"><b>The next match is ready</b> and waits for you.</p>`}
    ${wrong && html`<p class="field-error" role="alert">${wrong}</p>`}
  </section>`
}
