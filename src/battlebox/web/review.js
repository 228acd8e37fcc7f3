// @ts-check
/** How a match went: asked for when somebody wants to know, waited for, stopped. */
import { useEffect, useRef, useState } from './ui.js'
/** @import { Ask, Asked } from './match.js' */
/** @import { Early, Review, Table } from './types' */

/** The matches that are looked back on: who comes back from a replay finds them so. @type {Set<string>} */
const opened = new Set()

/**
 * `waiting`: how much is done, of how much. `told`: by seats, as far as they were looked at. `early`: what is
 * known of a seat before all is.
 * @typedef {{waiting: {done: number, of: number} | null, told: Review[], early: Early | null, seat: number,
 *   wrong: string}} State
 */

/** @param {{table: Table, ask: Ask, say: (text: string) => void}} at */
export function useReview({ table, ask, say }) {
  const first = table.you ?? 0
  const [state, setState] = useState(/** @type {State} */ ({ waiting: null, told: [], early: null, seat: first, wrong: '' }))
  const asked = useRef(/** @type {Asked | undefined} */ (undefined))
  const change = (/** @type {Partial<State>} */ more) => setState(old => ({ ...old, ...more }))

  const begin = (/** @type {number} */ seat) => {
    if (asked.current) return
    opened.add(table.id)
    change({ waiting: { done: 0, of: 0 }, wrong: '' })
    asked.current = ask({ type: 'review', seat }, ({ done, of, ...early }) => {
      change({ waiting: { done, of }, ...(early.steps && { early }) })
    })
    asked.current?.answer.then(told => {
      setState(old => ({ ...old, waiting: null, told: [...old.told, told], seat, wrong: '' }))
      say(told.accounts[seat].text)
    }, error => {
      opened.delete(table.id)
      change({ waiting: null, wrong: error.message })
    }).then(() => { asked.current = undefined })
  }
  useEffect(() => { if (table.end && opened.has(table.id)) begin(first) }, [Boolean(table.end)])

  return {
    ...state,
    /** What is shown; undefined: nothing is known yet. @type {Review | Early | undefined} */
    shown: [...state.told, state.early].find(r => r?.seat === state.seat) ?? undefined,
    begin: () => begin(state.seat),
    /** Shows it as it was for another seat. @param {number} seat */
    see: seat => {
      if (state.told.some(r => r.seat === seat)) change({ seat })
      else begin(seat)
    },
    stop: () => {
      asked.current?.stop()
      asked.current = undefined
      opened.delete(table.id)
      change({ waiting: null })
    },
  }
}
