// @ts-check
/** What one may do around a match: offers, resigning, inviting, one's name. */
import { Habit } from './hold.js'
import { Name } from './notices.js'
import { ChoiceButton } from './pieces.js'
import { seatName } from './seats.js'
import { Dialog, Later } from './shell.js'
import { html, useState } from './ui.js'
/** @import { useHabits } from './hold.js' */
/** @import { RoomMessage } from './protocol' */

/**
 * @typedef {{table: RoomMessage, habits: ReturnType<typeof useHabits>, hand: boolean, send: (message: any) => void,
 *   onClose: () => void, onInvite: () => void}} Props
 */

/** @param {Props} props */
export function Menu({ table, habits, hand, send, onClose, onInvite }) {
  const [resigning, setResigning] = useState(false)
  const can = (/** @type {string} */ what) => table.may.includes(what)
  const act = (/** @type {any} */ message) => {
    send(message)
    onClose()
  }
  if (resigning) {
    return html`<${Resign} table=${table} onYes=${() => act({ type: 'resign' })} onClose=${onClose} />`
  }
  return html`
    <${Dialog} title="This match" onClose=${onClose}>
      <p>${[table.title, table.mode].filter(Boolean).join(', ')}</p>
      <p class="quiet">${table.options}</p>
      <div class="row">
        <${ChoiceButton} text=${can('fill_seat') ? 'Invite friends' : 'Invite people to watch'} icon="link" onClick=${onInvite} />
      </div>
      ${can('rename') && html`
        <${Name} label="Your name" verb="Change" make=${(/** @type {string} */ name) => act({ type: 'rename', name })} now=${seatName(table, table.you)} />`}
      ${table.you !== null && !table.end && habits.all.length > 0 && html`
        <div class="row">
          ${habits.all.map(h => html`
            <${Habit} key=${h.phase} text=${h.text} on=${h.on} onFlip=${() => habits.flip(h.phase)} />`)}
        </div>`}
      <div class="row">
        ${table.may_propose.map(what => html`
          <${ChoiceButton} key=${what} text=${`Offer ${what === 'draw' ? 'a draw' : `to ${what}`}`} icon="scale"
            onClick=${() => act({ type: 'propose', what })} />`)}
        ${can('resign') && html`
          <${ChoiceButton} text="Resign" icon="flag" tone="danger" onClick=${() => setResigning(true)} />`}
      </div>
      ${table.you !== null && !table.end && html`
        <p class="quiet only-wide">Keys: 1 to 9 press the buttons, arrows move about, Enter chooses, Esc steps back${can('hint')
          && ', H asks for a hint'}, U takes back your last action.</p>`}
      <${Later} load=${() => import('./settings.js')} name="Settings" hand=${hand} />
      ${table.watching > 0 && html`
        <p class="quiet">${table.watching === 1 ? '1 person watches.' : `${table.watching} people watch.`}</p>`}
    <//>`
}

/** @param {{table: RoomMessage, onYes: () => void, onClose: () => void}} props */
const Resign = ({ table, onYes, onClose }) => html`
  <${Dialog} title="Resign?" onClose=${onClose}>
    <p>${table.seats.length === 2 ? `The match ends, and ${seatName(table, 1 - (table.you ?? 0))} wins.`
      : 'You give up; a bot plays your seat to the end.'} This cannot be taken back.</p>
    <div class="row">
      <${ChoiceButton} text="Resign" icon="flag" tone="danger" onClick=${onYes} />
      <${ChoiceButton} text="Play on" onClick=${onClose} />
    </div>
  <//>`
