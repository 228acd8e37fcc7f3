// @ts-check
/** What one may do around a match: offers, resigning, invitations, open seats, one's name. */
import { get } from './api.js'
import { Dialog } from './dialog.js'
import { Habit } from './hold.js'
import { ChoiceButton, SeatMark } from './pieces.js'
import { urlTo } from './place.js'
import { letterOf, seatName } from './seats.js'
import { middle } from './setup.js'
import { ThemeTool } from './shell.js'
import * as store from './store.js'
import { html, useEffect, useState } from './ui.js'
/** @import { useHabits } from './hold.js' */
/** @import { Table } from './types' */

/**
 * @typedef {(text: string, icon: string) => void} Notice
 * @typedef {{table: Table, canUndo: boolean, habits: ReturnType<typeof useHabits>, send: (message: any) => void,
 *   onClose: () => void, notice: Notice}} Props
 */

/** @param {Props} props */
export function Menu({ table, canUndo, habits, send, onClose, notice }) {
  const [resigning, setResigning] = useState(false)
  const can = (/** @type {string} */ what) => table.may.includes(what)
  const act = (/** @type {any} */ message) => {
    send(message)
    onClose()
  }
  if (resigning) {
    return html`<${Resign} table=${table} onYes=${() => act({ type: 'resign' })} onClose=${onClose} />`
  }
  const say = (/** @type {string} */ text) => notice(text, 'link')
  const open = table.seats.filter(s => s.kind === 'open')
  return html`
    <${Dialog} title="This match" onClose=${onClose}>
      <p>
        ${[table.title, table.mode].filter(Boolean).join(', ')}
        ${table.options && html` <small>(${table.options})</small>`}
      </p>
      ${open.map(s => html`
        <${OpenSeat} key=${s.seat} table=${table} seat=${s.seat} can=${can('fill')} send=${send}
          say=${say} />`)}
      <${Share} label="Link to watch this match" url=${urlTo(`/match/${table.id}`)} onSay=${say} />
      ${can('name') && html`
        <${Name} label="Your name" verb="Change" send=${act} now=${seatName(table, table.you)} />`}
      ${table.you !== null && !table.end && habits.all.length > 0 && html`
        <div class="row">
          ${habits.all.map(h => html`
            <${Habit} key=${h.phase} text=${h.text} on=${h.on} onFlip=${() => habits.flip(h.phase)} />`)}
        </div>`}
      <div class="row">
        ${canUndo && html`
          <${ChoiceButton} text="Take back" icon="undo" onClick=${() => act({ type: 'undo' })} />`}
        ${table.offers.map(what => html`
          <${ChoiceButton} key=${what} text=${`Offer ${what === 'draw' ? 'a draw' : `to ${what}`}`} icon="scale"
            onClick=${() => act({ type: 'offer', what })} />`)}
        ${can('resign') && html`
          <${ChoiceButton} text="Resign" icon="flag" tone="danger" onClick=${() => setResigning(true)} />`}
      </div>
      ${table.you !== null && !table.end && html`
        <p class="quiet only-wide">Keys: 1 to 9 press the buttons, arrows move about, Enter chooses, Esc steps back${can('hint')
          && ', H asks for a hint'}.</p>`}
      <div class="row only-phone"><span>Colours</span><${ThemeTool} /></div>
      ${table.watching > 0 && html`
        <p class="quiet">${table.watching === 1 ? '1 person watches.' : `${table.watching} people watch.`}</p>`}
    <//>`
}

/** @param {{table: Table, onYes: () => void, onClose: () => void}} props */
const Resign = ({ table, onYes, onClose }) => html`
  <${Dialog} title="Resign?" onClose=${onClose}>
    <p>${table.seats.length === 2 ? `The match ends, and ${seatName(table, 1 - (table.you ?? 0))} wins.`
      : 'You give up; a bot plays your seat to the end.'} This cannot be taken back.</p>
    <div class="row">
      <${ChoiceButton} text="Resign" icon="flag" tone="danger" onClick=${onYes} />
      <${ChoiceButton} text="Play on" onClick=${onClose} />
    </div>
  <//>`

/**
 * @param {{table: Table, seat: number, can: boolean, send: (m: any) => void,
 *   say: (text: string) => void}} props
 */
function OpenSeat({ table, seat, can, send, say }) {
  const levels = useLevels(table.game, can), [level, setLevel] = useState('')
  const token = table.invites?.[seat]
  const pick = (/** @type {any} */ e) => setLevel(e.currentTarget.value)
  return html`
    <section class="open-seat">
      <h3>${SeatMark(seat, 'is-small')}Seat ${letterOf(seat)} is open</h3>
      ${token && html`
        <${Share} label="Link for a friend" onSay=${say}
          url=${urlTo(`/match/${table.id}#${token}`)} />`}
      ${can && levels.length > 0 && html`
        <div class="row">
          <select aria-label=${`Level of the bot for seat ${letterOf(seat)}`} onChange=${pick}>
            ${levels.map(l => html`
              <option value=${l} selected=${l === (level || middle(levels))}>bot, ${l}</option>`)}
          </select>
          <${ChoiceButton} text="Let a bot play" icon="bot"
            onClick=${() => send({ type: 'fill', seat, level: level || middle(levels) })} />
        </div>`}
    </section>`
}

/**
 * The levels of a game's bots, asked for when they are needed.
 * @param {string} game
 * @param {boolean} wanted
 */
function useLevels(game, wanted) {
  const [levels, setLevels] = useState(/** @type {string[]} */ ([]))
  useEffect(() => {
    if (!wanted) return
    get('/api/games').then(
      games => setLevels(games.find((/** @type {any} */ g) => g.name === game)?.levels || []),
      () => {},
    )
  }, [game, wanted])
  return levels
}

/**
 * A link to hand on: shared where the system can, else copied.
 * @param {{label: string, url: string, onSay: (text: string) => void}} props
 */
export function Share({ label, url, onSay }) {
  const share = async () => {
    try {
      if (typeof navigator.share === 'function' && matchMedia('(pointer: coarse)').matches) {
        await navigator.share({ title: 'battlebox', text: label, url })
      } else {
        await navigator.clipboard.writeText(url)
        onSay('Link copied.')
      }
    } catch (e) {
      if (!(e instanceof Error && e.name === 'AbortError')) onSay('Copy the link from the field.')
    }
  }
  const all = (/** @type {any} */ e) => e.currentTarget.select()
  return html`
    <div class="share">
      <label class="field">${label}<input readonly value=${url} onFocus=${all} /></label>
      <${ChoiceButton} text="Share" icon="share" onClick=${share} aria-label=${`Share: ${label}`} />
    </div>`
}

/** @param {{label: string, verb: string, now: string, tone?: string, send: (m: any) => void}} props */
export function Name({ label, verb, now, tone, send }) {
  const submit = (/** @type {any} */ e) => {
    e.preventDefault()
    const name = String(new FormData(e.currentTarget).get('name') || '').trim()
    if (!name) return
    store.setMyName(name)
    send({ type: 'name', name })
  }
  return html`
    <form class="share" onSubmit=${submit}>
      <label class="field">${label}
        <input name="name" required maxlength="24" autocomplete="nickname" defaultValue=${now} />
      </label>
      <${ChoiceButton} text=${verb} type="submit" tone=${tone} />
    </form>`
}
