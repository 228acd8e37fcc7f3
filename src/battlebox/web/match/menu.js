// @ts-check
/** The menu of a match: offers, resigning, inviting, the player's name. */
import { Habit } from './response_window.js'
import { Name } from './banners.js'
import { ChoiceButton } from '../pieces.js'
import { seatName } from '../seats.js'
import { Dialog, Later } from '../shell.js'
import { html, useState } from '../ui.js'
/** @import { useHabits } from './response_window.js' */
/** @import { RoomMessage } from '../protocol' */

/**
 * @typedef {{room: RoomMessage, habits: ReturnType<typeof useHabits>, hand: boolean, send: (message: any) => void,
 *   onClose: () => void, onInvite: () => void}} Props
 */

/** @param {Props} props */
export function Menu({ room, habits, hand, send, onClose, onInvite }) {
  const [resigning, setResigning] = useState(false)
  const can = (/** @type {string} */ what) => room.may.includes(what)
  const act = (/** @type {any} */ message) => {
    send(message)
    onClose()
  }
  if (resigning) {
    return html`<${Resign} room=${room} onYes=${() => act({ type: 'resign' })} onClose=${onClose} />`
  }
  return html`
    <${Dialog} title="This match" onClose=${onClose}>
      <p>${[room.title, room.mode].filter(Boolean).join(', ')}</p>
      <p class="quiet">${room.options}</p>
      <div class="row">
        <${ChoiceButton} text=${can('fill_seat') ? 'Invite friends' : 'Invite people to watch'} icon="link" onClick=${onInvite} />
      </div>
      ${can('rename') && html`
        <${Name} label="Your name" verb="Change" make=${(/** @type {string} */ name) => act({ type: 'rename', name })} now=${seatName(room, room.you)} />`}
      ${room.you !== null && !room.end && habits.all.length > 0 && html`
        <div class="row">
          ${habits.all.map(h => html`
            <${Habit} key=${h.phase} text=${h.text} on=${h.on} onFlip=${() => habits.flip(h.phase)} />`)}
        </div>`}
      <div class="row">
        ${room.may_propose.map(what => html`
          <${ChoiceButton} key=${what} text=${`Offer ${what === 'draw' ? 'a draw' : `to ${what}`}`} icon="scale"
            onClick=${() => act({ type: 'propose', what })} />`)}
        ${can('resign') && html`
          <${ChoiceButton} text="Resign" icon="flag" tone="danger" onClick=${() => setResigning(true)} />`}
      </div>
      ${room.you !== null && !room.end && html`
        <p class="quiet only-wide">Keys: 1 to 9 press the buttons and pick what bears a number, the arrows move, Enter chooses, Esc goes back${can('hint')
          && ', H asks for a hint'}, U takes back your last decision.</p>`}
      <${Later} load=${() => import('../settings.js')} name="Settings" hand=${hand} />
      ${room.watching > 0 && html`
        <p class="quiet">${room.watching === 1 ? '1 person is watching.' : `${room.watching} people are watching.`}</p>`}
    <//>`
}

/** @param {{room: RoomMessage, onYes: () => void, onClose: () => void}} props */
const Resign = ({ room, onYes, onClose }) => html`
  <${Dialog} title="Resign?" onClose=${onClose}>
    <p>${room.seats.length === 2 ? `The match ends, and ${seatName(room, 1 - (room.you ?? 0))} wins.`
      : 'You give up, and a bot plays your seat to the end.'} This cannot be undone.</p>
    <div class="row">
      <${ChoiceButton} text="Resign" icon="flag" tone="danger" onClick=${onYes} />
      <${ChoiceButton} text="Play on" onClick=${onClose} />
    </div>
  <//>`
