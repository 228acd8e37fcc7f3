// @ts-check
/** What one suspects of others: marks on their hidden cards that only this browser knows. */
import { Icon, PieceView } from '../pieces.js'
import { seatName } from '../seats.js'
import { keepSuspicion, suspicionsOf } from '../storage.js'
import { html, useState } from '../ui.js'
/** @import { Piece } from '../types' */
/** @import { Context } from './zones.js' */

/** The card of a seat; on one that lies face down one may note what one takes it for.
 * @param {{piece: Piece, seat: number, context: Context}} props
 */
export function Suspicion({ piece, seat, context }) {
  const { theme, room, scene } = context, marks = theme.notes || []
  const round = scene.zones.find(z => z.kind === 'ring')?.facts.round ?? 0
  const [, drawAgain] = useState(0)
  if (piece.kind !== 'back' || !marks.length || scene.viewer === null || !context.live) {
    return html`<${PieceView} piece=${piece} theme=${theme} />`
  }
  const noted = suspicionsOf(room.id, round)[seat] || '', at = marks.findIndex(m => m.text === noted)
  const mark = marks[at], next = marks[at + 1]
  const says = `${seatName(room, seat)}: ${piece.label}. Your note: ${noted || 'none'}`
  const press = () => {
    keepSuspicion(room.id, round, seat, next?.text || '')
    drawAgain(x => x + 1)
  }
  return html`
    <button type="button" class="noted" data-item data-tone=${mark?.tone} aria-label=${says}
      title=${`Only you see this. Next: ${next?.text || 'no note'}`} onClick=${press}>
      <${PieceView} piece=${piece} theme=${theme} aria-hidden="true" />
      ${mark && html`<span class="noted-mark" aria-hidden="true">${Icon(mark.icon)}</span>`}
    </button>`
}
