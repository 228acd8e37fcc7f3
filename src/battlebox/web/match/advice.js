// @ts-check
/** What the best bot would do in one's place, where all others are bots: asked for, shown, and said. */
import { Icon } from '../pieces.js'
import { html, useState } from '../ui.js'
/** @import { Ask } from './match.js' */
/** @import { HintAnswer, RoomMessage } from '../protocol' */
/** @import { Shown } from '../types' */

/**
 * @param {{shown: Shown, room: RoomMessage, yours: boolean, ask: Ask, say: (text: string) => void,
 *   report: (error: any) => void}} at
 */
export function useAdvice({ shown, room, yours, ask, say, report }) {
  const [found, setFound] = useState(/** @type {{shown: Shown, answer: HintAnswer} | null} */ (null))
  const [busy, setBusy] = useState(false)
  const may = yours && room.may.includes('hint')
  const answer = may && found?.shown === shown ? found.answer : null
  return {
    /** Whether one may ask. */
    may,
    busy,
    /** What the bot would choose; null: not asked. */
    choice: shown.scene.choices.find(c => c.action === answer?.choices[0]?.action) || null,
    text: answer?.text || '',
    /** Asks; whether one might. */
    seek: () => {
      if (!may || busy) return false
      setBusy(true)
      ask({ type: 'hint' })?.answer.then(answer => {
        setFound({ shown, answer })
        say(answer.text)
      }, report).then(() => setBusy(false))
      return true
    },
  }
}

/** @param {{text: string}} props */
export const Advice = ({ text }) => html`<p class="prompt-hint advice">${Icon('hint')}<span>${text}</span></p>`
