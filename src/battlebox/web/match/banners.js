// @ts-check
/** Banners beside the question: a lost connection, a proposal, a seat to take, a toast. */
import { uuid } from './connection.js'
import { ChoiceButton, Icon } from '../pieces.js'
import { to } from '../place.js'
import { letterOf, seatName } from '../seats.js'
import { Plain } from '../shell.js'
import * as storage from '../storage.js'
import { html } from '../ui.js'
import { Badge } from './zones.js'
/** @import { Problem, RoomMessage } from '../protocol' */
/** @import { Theme } from '../types' */

/** @param {{text: string, icon: string, theme: Theme, seat?: number, isBanner?: boolean}} props `seat`: of whose side it is; `isBanner`: across the page */
export const Toast = ({ text, icon, theme, seat, isBanner = false }) => html`
  <div class=${'toast' + (isBanner ? ' is-banner' : '')} aria-hidden="true">
    ${Icon(icon)}${seat !== undefined && theme.marks && Badge(theme, seat, 'is-small')}<span>${text}</span></div>`

/** @param {{again: () => void}} props */
export const LostBanner = ({ again }) => html`
  <div class="lost">
    ${Icon('lost')}<span>Connection lost; reconnecting … A choice you make now is sent when you are back online.</span>
    <button type="button" class="choice" onClick=${again}>Try now</button>
  </div>`

// what else is offered is an agreement of the game; its name says what one would do
/** @type {Record<string, string>} */
const OFFERS = { undo: 'asks to take back their last action', draw: 'offers a draw' }
/** @type {Record<string, string>} */
const MINE = { undo: 'ask to take back your last action', draw: 'offer a draw' }

/**
 * The proposal that waits for answers, in words, for those who need not answer; and whether the viewer must.
 * @param {RoomMessage} room
 */
export function proposalOf(room) {
  const { proposal, you } = room
  if (!proposal) return { text: '', isAsked: false }
  const isMine = proposal.by === you, isAsked = you !== null && proposal.waiting.includes(you)
  const who = isMine ? 'You' : seatName(room, proposal.by), what = (isMine ? MINE : OFFERS)[proposal.what]
    || `${isMine ? 'offer' : 'offers'} to ${proposal.what}`
  const others = proposal.waiting.filter(s => s !== you).map(s => seatName(room, s)).join(' and ')
  const rest = !isAsked && others ? ` Waiting for ${others}.` : ''
  return { text: `${who} ${what}.${rest}`, isAsked }
}

/**
 * Asks for an answer to a proposal; the question of one's own turn stays, and who answers that plays on.
 * @param {{room: RoomMessage, yours: boolean, send: (m: any) => void}} props
 */
export function ProposalBanner({ room, yours, send }) {
  const { proposal } = room, { text, isAsked } = proposalOf(room)
  if (!proposal || !isAsked) return null
  const answer = (/** @type {boolean} */ yes) => () => send({ type: 'answer', what: proposal.what, yes })
  return html`
    <div class="offer" role="group" aria-label="Proposal">
      <span><b>${text}</b>${yours && ' If you play on, you decline.'}</span>
      <${ChoiceButton} text="Agree" icon="check" onClick=${answer(true)} />
      <${ChoiceButton} text="Decline" icon="cross" onClick=${answer(false)} />
    </div>`
}

/** An invitation in the browser of somebody who sits at this match: one browser, one seat. */
export const SitsAlready = (/** @type {{url: string}} */ { url }) => html`
  <section class="prompt is-yours" id="choices" tabindex="-1" aria-label="Invitation">
    <div class="prompt-say">
      <p class="cue">${Icon('person')}<span>You already have a seat</span></p>
      <p class="prompt-text">This invitation is for a friend: pass it on.</p>
    </div>
    <div class="choices"><a class="choice is-main" href=${url}><span>Back to your seat</span></a></div>
  </section>`

/** Asks who has been invited for a name. @param {{seat: number, send: (m: any) => void}} props */
export const TakeSeat = ({ seat, send }) => html`
  <section class="prompt is-yours" id="choices" tabindex="-1" aria-label="Sit down">
    <div class="prompt-say">
      <p class="cue">${Icon('person')}<span>Seat ${letterOf(seat)} is free</span></p>
      <p class="prompt-text">Enter your name and sit down.</p>
    </div>
    <${Name} label="Your name" verb="Sit down" tone="main" now=${storage.myName()}
      make=${(/** @type {string} */ name) => send({ type: 'take_seat', name, key: uuid() })} />
  </section>`

/** There is no way in: no such match, no such seat, or a page of another version. @param {{error?: Problem, id: string}} props */
export function Closed({ error, id }) {
  if (error?.code === 'other_protocol') {
    return html`
      <${Plain} title="This page is out of date" text=${error.message}>
        <button type="button" class="choice is-main" onClick=${() => location.reload()}><span>Reload</span></button>
      <//>`
  }
  if (error?.code !== 'bad_token') return html`<${Plain} title="Match not found" text=${error?.message || ''} />`
  return html`
    <${Plain} title="This link does not work" text=${error.message}>
      <a class="choice is-main" href=${to(`/match/${id}`)} onClick=${() => storage.forget(id)} target="_self">
        ${Icon('eye')}<span>Watch the match</span></a>
    <//>`
}

/** @param {{label: string, verb: string, now: string, tone?: string, make: (name: string) => void}} props */
export function Name({ label, verb, now, tone, make }) {
  const submit = (/** @type {any} */ e) => {
    e.preventDefault()
    const name = String(new FormData(e.currentTarget).get('name') || '').trim()
    if (!name) return
    storage.setMyName(name)
    make(name)
  }
  return html`
    <form class="share" onSubmit=${submit}>
      <label class="field">${label}
        <input name="name" required maxlength="24" autocomplete="nickname" defaultValue=${now} />
      </label>
      <${ChoiceButton} text=${verb} type="submit" tone=${tone} />
    </form>`
}
