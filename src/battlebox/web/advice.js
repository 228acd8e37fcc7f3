// @ts-check
/** What the best bot would do in one's place, where all others are bots: asked for, shown, and said. */
import { Icon } from './pieces.js'
import { html, useState } from './ui.js'
/** @import { Choice, Option, Shown, Table } from './types' */

/** Chances that differ by no more than this, in percent, are alike: a search is not more exact. */
const ALIKE = 1

/**
 * @param {{shown: Shown, table: Table, yours: boolean, ask: (message: any) => Promise<any>,
 *   say: (text: string) => void, report: (error: any) => void}} at
 */
export function useAdvice({ shown, table, yours, ask, say, report }) {
  const [found, setFound] = useState(/** @type {{shown: Shown, options: Option[]} | null} */ (null))
  const [busy, setBusy] = useState(false)
  const may = yours && table.may.includes('hint')
  const options = may && found?.shown === shown ? found.options : []
  const { choices } = shown.scene, choice = choices.find(c => c.action === options[0]?.action) || null
  return {
    /** Whether one may ask. */
    may,
    busy,
    /** What the bot would choose; null: not asked. */
    choice,
    text: wordsOf(choices, options),
    /** Asks; whether one might. */
    seek: () => {
      if (!may || busy) return false
      setBusy(true)
      ask({ type: 'hint' }).then(answer => {
        setFound({ shown, options: answer.choices })
        say(wordsOf(choices, answer.choices))
      }, report).then(() => setBusy(false))
      return true
    },
  }
}

/** A chance in percent. @param {number} expected a return, -1 .. 1 */
export const percent = expected => Math.round(50 + 50 * expected)

/** A hint in words; empty if there is none. @param {Choice[]} choices @param {Option[]} options */
function wordsOf(choices, options) {
  const [best, next] = options.map(({ action, expected }) => ({
    label: choices.find(c => c.action === action)?.label || '', chance: percent(expected),
  }))
  if (!best?.label) return ''
  const said = `Hint: ${best.label}, chance ${best.chance}\u00a0%.`
  if (!next?.label) return said
  const isAlike = next.chance >= best.chance - ALIKE
  return isAlike ? `${said} About as good: ${next.label}.` : `${said} Next best: ${next.label}, ${next.chance}\u00a0%.`
}

/** The button that asks. @param {{advice: ReturnType<typeof useAdvice>}} props */
export const Asking = ({ advice }) => html`
  <button type="button" class="asking" aria-keyshortcuts="h" disabled=${advice.busy} onClick=${advice.seek}>
    ${Icon('hint')}<span>Hint</span><kbd aria-hidden="true">H</kbd>
  </button>`

/** @param {{text: string}} props */
export const Advice = ({ text }) => html`<p class="prompt-hint advice">${Icon('hint')}<span>${text}</span></p>`
