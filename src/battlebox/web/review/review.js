// @ts-check
/** How a match went: asked for when somebody wants to know, waited for, cancelled. */
import { useEffect, useRef, useState } from '../ui.js'
/** @import { Ask, Asked } from '../match/match.js' */
/** @import { ReviewAnswer, ReviewProgress, RoomMessage, SeatDecisions, SeatSums } from '../protocol' */

/** The matches that are looked back on: who comes back from a replay finds them so. @type {Set<string>} */
const opened = new Set()

/**
 * `waiting`: how much is done, of how much. `sums`: of all seats, when all is known. `known`: the decisions, by the
 * seats for which they were looked at; of the first, perhaps before all is known.
 * @typedef {{waiting: {done: number, of: number} | null, sums: SeatSums[] | null, known: SeatDecisions[], seat: number,
 *   wrong: string}} State
 */

/** @param {{room: RoomMessage, ask: Ask, say: (text: string) => void}} at */
export function useReview({ room, ask, say }) {
  const first = room.you ?? 0
  const [state, setState] = useState(/** @type {State} */ ({ waiting: null, sums: null, known: [], seat: first, wrong: '' }))
  const asked = useRef(/** @type {Asked | undefined} */ (undefined))
  const change = (/** @type {Partial<State>} */ more) => setState(old => ({ ...old, ...more }))
  const learn = (/** @type {SeatDecisions} */ one, /** @type {Partial<State>} */ more) => (
    setState(old => ({ ...old, ...more, known: [...old.known.filter(x => x.seat !== one.seat), one] }))
  )

  const begin = (/** @type {number} */ seat) => {
    if (asked.current) return
    opened.add(room.id)
    change({ waiting: { done: 0, of: 0 }, wrong: '' })
    asked.current = ask({ type: 'review', seat }, (/** @type {ReviewProgress} */ { done, of, early }) => {
      const waiting = { done, of }
      if (early) learn(early, { waiting })
      else change({ waiting })
    })
    asked.current?.answer.then((/** @type {ReviewAnswer} */ { sums, decisions }) => {
      learn(decisions, { waiting: null, sums, seat, wrong: '' })
      say(sums[seat].text)
    }, error => {
      opened.delete(room.id)
      change({ waiting: null, wrong: error.message })
    }).then(() => { asked.current = undefined })
  }
  useEffect(() => { if (room.end && opened.has(room.id)) begin(first) }, [Boolean(room.end)])

  return {
    ...state,
    /** The decisions that are shown; undefined: nothing is known yet. */
    decisions: state.known.find(x => x.seat === state.seat),
    begin: () => begin(state.seat),
    /** Shows it as it was for another seat. @param {number} seat */
    see: seat => {
      if (state.known.some(x => x.seat === seat)) change({ seat })
      else begin(seat)
    },
    cancel: () => {
      asked.current?.cancel()
      asked.current = undefined
      opened.delete(room.id)
      change({ waiting: null })
    },
  }
}
