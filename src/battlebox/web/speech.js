// @ts-check
/** The one live region: what has happened and what is asked, in one go, so that nothing is cut off. */
import { html, useEffect, useRef, useState } from './ui.js'

/** Long enough to gather what belongs together, short enough not to be noticed. */
const GATHER = 250

/**
 * `say` waits a moment for more; a longer `wait` keeps words back until what they lead to is there.
 * @returns {{say: (text: string | string[], wait?: number) => void, region: any}}
 */
export function useSpeech() {
  const [text, setText] = useState('')
  const waiting = useRef(/** @type {string[]} */ ([])), timer = useRef(/** @type {any} */ (0))
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (/** @type {string | string[]} */ text, wait = GATHER) => {
    waiting.current.push(...[text].flat().filter(Boolean))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const all = waiting.current.filter((t, i, list) => t !== list[i - 1]).join(' ')
      waiting.current = []
      if (all) setText(old => (old === all ? `${all} ` : all)) // the same words again are news, too
    }, wait)
  }
  return { say, region: html`<p class="vh" role="status" aria-live="polite">${text}</p>` }
}
