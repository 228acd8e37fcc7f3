// @ts-check
/** Inviting others: links and QR codes to open seats and to watch, as the server says them. */
import { get } from '../api.js'
import { ChoiceButton, SeatMark } from '../pieces.js'
import { letterOf } from '../seats.js'
import { medium } from '../setup/setup.js'
import { Share } from '../share.js'
import { Dialog } from '../shell.js'
import { html, useEffect, useState } from '../ui.js'
/** @import { LinkInfo, Links, RoomMessage } from '../protocol' */

/**
 * @typedef {{room: RoomMessage, send: (m: any) => void, say: (text: string) => void}} Part
 */

/** The size of a QR code on the page: its squares are wide enough for a phone held at arm's length. */
const QR = 168

/** @param {Part & {token: string, onClose: () => void}} props */
export function Invite({ room, token, send, say, onClose }) {
  const [links, setLinks] = useState(/** @type {Links | null} */ (null))
  const [wrong, setWrong] = useState('')
  const open = room.seats.filter(x => x.kind === 'open').length
  useEffect(() => {
    get(`/api/matches/${encodeURIComponent(room.id)}/links`, token).then(setLinks, e => setWrong(e.message))
  }, [room.id, token, open])
  const seats = links?.links.filter(x => x.seat !== null && room.seats[x.seat]?.kind === 'open') ?? []
  const watch = links?.links.find(x => x.seat === null)
  return html`
    <${Dialog} title=${seats.length ? 'Invite friends' : 'Invite people to watch'} onClose=${onClose}>
      ${wrong && html`<p role="alert">${wrong}</p>`}
      ${links?.only_here && html`<${OnlyHere} />`}
      ${seats.map(x => html`<${OpenSeat} key=${x.seat} room=${room} link=${x} send=${send} say=${say} />`)}
      ${seats.length > 0 && html`<p class="quiet">Friends on this server can also enter the match’s id on
        their first page: <b>${room.id}</b></p>`}
      ${watch ? html`<${Share} label="Link to watch" url=${watch.url} onSay=${say} />`
        : links && html`<p class="quiet">A link to watch appears here when all seats are taken;
          until then it would also let people sit down.</p>`}
    <//>`
}

/** Why nobody else can follow these links yet, and what to do. */
const OnlyHere = () => html`
  <p role="note"><b>These links work on this machine only.</b> To let others in your network play, stop the server
    and start it with <code>make play ARGS="--lan"</code> or <code>battlebox --lan</code>. Your match is saved.</p>`

/** @param {Part & {link: LinkInfo}} props */
function OpenSeat({ room, link, send, say }) {
  const seat = link.seat ?? 0, letter = letterOf(seat), can = room.may.includes('fill_seat')
  const levels = useLevels(room.game, can), [level, setLevel] = useState('')
  const pick = (/** @type {any} */ e) => setLevel(e.currentTarget.value)
  return html`
    <section class="open-seat">
      <h3>${SeatMark(seat, 'is-small')}Seat ${letter} is open</h3>
      ${link.qr && html`
        <img class="qr" src=${link.qr} width=${QR} height=${QR} alt=${`QR code of the link to seat ${letter}`} />`}
      <${Share} label="Link for a friend" onSay=${say} url=${link.url} />
      ${can && levels.length > 0 && html`
        <div class="row">
          <select aria-label=${`Level of the bot for seat ${letter}`} onChange=${pick}>
            ${levels.map(l => html`
              <option value=${l} selected=${l === (level || medium(levels))}>bot, ${l}</option>`)}
          </select>
          <${ChoiceButton} text="Let a bot play" icon="bot"
            onClick=${() => send({ type: 'fill_seat', seat, level: level || medium(levels) })} />
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
