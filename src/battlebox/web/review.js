// @ts-check
/** How a match went: asked for when somebody wants to know, waited for, stopped. */
import { useEffect, useRef, useState } from './ui.js'
/** @import { Ask, Asked } from './match.js' */
/** @import { Review, Table } from './types' */

/** The matches that were looked back on: who comes back from a replay finds them so. @type {Set<string>} */
const opened = new Set()

/**
 * `waiting`: how many decisions are done, of how many. `told`: by seats, as far as they were looked at.
 * @typedef {{waiting: {done: number, of: number} | null, told: Review[], seat: number, wrong: string}} State
 */

/** @param {{table: Table, ask: Ask, say: (text: string) => void}} at */
export function useReview({ table, ask, say }) {
  const first = table.you ?? 0
  const [state, setState] = useState(/** @type {State} */ ({ waiting: null, told: [], seat: first, wrong: '' }))
  const asked = useRef(/** @type {Asked | undefined} */ (undefined))
  const change = (/** @type {Partial<State>} */ more) => setState(old => ({ ...old, ...more }))

  const begin = (/** @type {number} */ seat) => {
    if (asked.current) return
    change({ waiting: { done: 0, of: 0 }, wrong: '' })
    asked.current = ask({ type: 'review', seat }, ({ done, of }) => change({ waiting: { done, of } }))
    asked.current?.answer.then(told => {
      opened.add(table.id)
      setState(old => ({ waiting: null, told: [...old.told, told], seat, wrong: '' }))
      say(told.accounts[seat].text)
    }, error => change({ waiting: null, wrong: error.message })).then(() => { asked.current = undefined })
  }
  useEffect(() => { if (table.end && opened.has(table.id)) begin(first) }, [Boolean(table.end)])

  return {
    ...state,
    /** What is shown; undefined: nothing was asked for yet. */
    shown: state.told.find(r => r.seat === state.seat),
    begin: () => begin(state.seat),
    /** Shows it as it was for another seat. @param {number} seat */
    see: seat => {
      if (state.told.some(r => r.seat === seat)) change({ seat })
      else begin(seat)
    },
    stop: () => {
      asked.current?.stop()
      asked.current = undefined
      change({ waiting: null })
    },
  }
}
