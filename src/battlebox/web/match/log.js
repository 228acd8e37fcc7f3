// @ts-check
/** What happened, in words, the newest first, grouped by turn. */
import { Icon } from '../pieces.js'
import { seatName } from '../seats.js'
import { html } from '../ui.js'
import { Badge } from './zones.js'
/** @import { RoomMessage } from '../protocol' */
/** @import { EventView, Theme } from '../types' */

/** @typedef {{told: EventView, isFresh: boolean, times: number}} Entry */
/** @typedef {{heading: string, seat?: number | null, isFresh: boolean, turn: number, lines: Entry[]}} Group `seat`: whose turn it tells of */

/**
 * Groups by the events that open a turn; where a game has none, by actions.
 * @param {EventView[]} told @param {number} fresh @param {Theme} theme @param {RoomMessage} room @param {boolean} [counts] @returns {Group[]}
 */
export function grouped(told, fresh, theme, room, counts = true) {
  /** @type {Group[]} */
  const groups = []
  const hasTurns = Object.values(theme.events).some(e => e.heading)
  let count = 0
  told.forEach((t, i) => {
    const heads = theme.events[t.event]?.heading, isFresh = i >= told.length - fresh
    if (heads) {
      if (heads === true) count += 1
      const turn = `Turn${counts ? ` ${count}` : ''} · ${seatName(room, t.args.seat ?? null)}`
      const heading = heads === true ? turn : t.text
      groups.push({ heading, seat: heads === true ? t.args.seat : null, isFresh, turn: t.turn, lines: [] })
    } else if (!groups.length || (!hasTurns && groups[groups.length - 1].turn !== t.turn)) {
      const heading = groups.length ? '' : 'Before the first turn'
      groups.push({ heading, isFresh: false, turn: t.turn, lines: [] })
    }
    if (!t.text || heads) return
    const { lines } = groups[groups.length - 1], last = lines[lines.length - 1]
    if (last?.told.text === t.text) Object.assign(last, { isFresh, times: last.times + 1 })
    else lines.push({ told: t, isFresh, times: 1 })
  })
  return groups.reverse()
}

/** @param {Entry & {theme: Theme}} props */
const Line = ({ told, isFresh, times, theme }) => {
  const { icon, tone } = theme.events[told.event] || {}, seat = told.args.seat, isOfSeat = typeof seat === 'number'
  return html`
    <li class=${isFresh ? 'is-fresh' : ''} data-tone=${tone}>
      ${(icon || !isOfSeat) && Icon(icon || 'right', 'log-ico')}
      ${isOfSeat && (theme.marks || !icon) && Badge(theme, seat, 'is-small')}
      <span>${told.text}${times > 1 && ` (${times} times)`}</span>
    </li>`
}

/** @param {{told: EventView[], fresh: number, theme: Theme, room: RoomMessage, counts?: boolean}} props `counts`: turns have numbers */
export const Log = ({ told, fresh, theme, room, counts }) => html`
  <section class="log" aria-label="Log">
    <h2>${Icon('log')}Log</h2>
    <div class="log-lines" tabindex="0" role="region" aria-label="What happened, newest first">
      ${grouped(told, fresh, theme, room, counts).map(group => html`
        ${group.heading && html`<h3 class=${group.isFresh ? 'is-fresh' : ''}>${theme.marks && typeof group.seat === 'number' && Badge(theme, group.seat, 'is-small')}${group.heading}</h3>`}
        <ol>${[...group.lines].reverse().map(line => html`<${Line} ...${line} theme=${theme} />`)}</ol>`)}
      ${!told.length && html`<p>Nothing has happened yet.</p>`}
    </div>
  </section>`
