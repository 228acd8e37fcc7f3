// @ts-check
/** Seats round the table, in the order of play, and how a round ended. */
import { sentence } from './inspector.js'
import { Suspicion } from './suspicions.js'
import { InHand } from './zones.js'
import { Chip, ChoiceButton, Icon, Pips, SeatMark } from '../pieces.js'
import { seatName } from '../seats.js'
import { Dialog } from '../shell.js'
import { html, useLayoutEffect, useState } from '../ui.js'
/** @import { Scene, Zone } from '../types' */
/** @import { Context, Props } from './zones.js' */

/** Up to so many others lie in one row; of more, some lie at the sides. */
const ONE_ROW = 5

/**
 * Where the others lie, from the viewer's left on: up the left side, along the top, down the right side.
 * @param {number} n
 */
export function places(n) {
  const side = n <= ONE_ROW ? 0 : Math.floor(n / 2) - 2, top = n - 2 * side
  const spots = Array.from({ length: n }, (_, i) => {
    if (i < side) return { gridRow: 2 + side - i, gridColumn: 1 }
    if (i < side + top) return { gridRow: 2, gridColumn: 1 + i - side }
    return { gridRow: 3 + i - side - top, gridColumn: top }
  })
  return { side, top, spots }
}

/**
 * @param {{scene: Scene, parts: {others: Zone[], centre: Zone[], own: Zone[]}, context: Context,
 *   views: (zones: Zone[]) => any}} props
 */
export function RingTable({ scene, parts, context, views }) {
  const { others, centre, own } = parts, { side, top, spots } = places(others.length)
  const of = (/** @type {string} */ kind) => scene.zones.filter(z => z.kind === kind)
  const [way] = of('ring'), [ended] = of('standings')
  const [read, setRead] = useState(way.facts.round - 1) // up to which round one has seen how it ended
  const isNews = context.live && !scene.over && ended?.facts.round > read
  useLayoutEffect(() => { // the next round waits until one has read how the last one ended
    context.hold?.(isNews)
    return () => context.hold?.(false)
  }, [isNews])
  return html`
    <div class="scene is-ring" data-viewer=${scene.viewer ?? ''} data-n=${of('plaque').length} data-side=${side}
      style=${{ '--top': Math.max(3, top), '--mid': top - 2 }}>
      <section class="ring" aria-label="Players, in the order of their seats" data-rove>
        ${views([way])}
        ${others.map((zone, i) => html`
          <div key=${zone.id} class="ring-seat" style=${spots[i]}>${views([zone])}</div>`)}
        ${own.filter(z => z.kind === 'plaque').map(zone => html`
          <div key=${zone.id} class="ring-seat is-mine">${views([zone])}</div>`)}
      </section>
      <section class="centre" aria-label="Centre of the table" data-rove>
        ${views(centre.filter(z => z.kind === 'pile' || z.kind === 'line'))}
      </section>
      ${own.length > 0 && html`
        <section class="own" aria-label="You">
          ${views([...of('numbers'), ...own.filter(z => z.kind !== 'plaque')])}
        </section>`}
      ${isNews && html`<${Standings} zone=${ended} context=${context} onClose=${() => setRead(ended.facts.round)} />`}
    </div>`
}

/** How a round ended, for those who saw it end. @param {Props<'standings'> & {onClose: () => void}} props */
function Standings({ zone, context, onClose }) {
  const { text, round, goal, rows } = zone.facts, { room, theme } = context
  const sorted = [...rows].sort((a, b) => b.points - a.points)
  return html`
    <${Dialog} title=${zone.label} cls="standings" onClose=${onClose}>
      <p>${sentence(text)}</p>
      <ol aria-label="Standings">
        ${sorted.map(row => html`
          <li key=${row.seat}>
            ${SeatMark(row.seat, 'is-small')}<b title=${seatName(room, row.seat)}>${seatName(room, row.seat)}</b>
            ${Chip(row.side, theme.chips?.[row.side])}
            <span class="gain">${row.won ? '+1' : ''}</span>
            <${Pips} value=${row.points} goal=${goal} name=${`of ${goal} points`} />
          </li>`)}
      </ol>
      <${ChoiceButton} text=${`Continue to round ${round + 1}`} tone="main" onClick=${onClose} />
    <//>`
}

/** How many of what has been picked; there is nothing to see before. @param {Props<'numbers'>} props */
const Numbers = ({ zone, context }) => {
  const open = zone.pieces.filter(p => ['lit', 'aim'].includes(context.stateOf(p.id)))
  return html`
    <div class="numbers" role="group" aria-label=${zone.label} data-zone=${zone.id} data-rove>
      ${open.length > 1 && open.map(piece => html`<${InHand} key=${piece.id} piece=${piece} context=${context} />`)}
    </div>`
}

/** Which way play goes. @param {Props<'ring'>} props */
const Way = ({ zone }) => html`
  <p class="way" data-zone=${zone.id} data-way=${zone.facts.way}>
    ${Icon(zone.facts.way > 0 ? 'right' : 'left')}<span>${zone.label}: ${zone.facts.text}</span>
  </p>`

export const KINDS = { ring: Way, numbers: Numbers, suspicion: Suspicion }
