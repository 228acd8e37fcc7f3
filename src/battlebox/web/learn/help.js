// @ts-check
/** Help in a first match: when one is asked something for the first time, a sentence says what it is about. */
import { get } from '../api.js'
import * as storage from '../storage.js'
import { addStyle } from '../theme.js'
import { html, useEffect } from '../ui.js'
import { InPrompt, OnTable, isDocked } from './coach.js'
/** @import { Scene } from '../types' */
/** @import { Coaching, Say } from './coach.js' */

const NOTHING = { zones: [], pieces: [] }

/** @typedef {ReturnType<typeof helper>} Helper */

/** @param {string} game @param {() => void} changed is called when what helps has changed @returns {Promise<Helper>} */
export async function loadHelp(game, changed) {
  const [{ help }] = await Promise.all([get(`/api/games/${encodeURIComponent(game)}/lessons`), addStyle('/web/learn/learn.css')])
  return helper(game, help, changed)
}

/** @param {string} game @param {Record<string, string>} help by phase @param {() => void} changed */
function helper(game, help, changed) {
  let before = ''
  return {
    /** What helps with this question of the viewer, if it comes for the first time. @param {Scene} scene @param {string} question @returns {Coaching | undefined} */
    coachOf(scene, question) {
      const { phase, viewer, to_act } = scene, text = help[phase]
      if (!text || !question || to_act !== viewer || !storage.wantsHelp(game)) return undefined
      if (storage.helped(game).includes(phase) && before !== `${phase} ${question}`) return undefined
      before = `${phase} ${question}`
      const done = () => {
        before = ''
        changed()
      }
      const end = () => {
        storage.wantHelp(game, false)
        changed()
      }
      const words = (/** @type {Say} */ say) => html`<${Words} text=${text} onSeen=${() => storage.keepHelped(game, phase)} onDone=${done} onEnd=${end} say=${say} />`
      return {
        asks: true,
        docked: isDocked(),
        choiceOf: () => null,
        press: () => false,
        onTable: (root, say) => html`<${OnTable} meant=${NOTHING} docked=${isDocked()} root=${root}>${words(say)}<//>`,
        inPrompt: say => html`<${InPrompt}>${words(say)}<//>`,
      }
    },
  }
}

/** @param {{text: string, onSeen: () => void, onDone: () => void, onEnd: () => void, say: Say}} props */
function Words({ text, onSeen, onDone, onEnd, say }) {
  useEffect(() => {
    onSeen()
    say(text)
  }, [text])
  return html`
    <p class="coach-head"><b>Help</b></p>
    <p>${text}</p>
    <div class="coach-keys">
      <button type="button" class="coach-key" onClick=${onDone}><span>Got it</span></button>
      <button type="button" class="coach-key" onClick=${onEnd}><span>No more help</span></button>
    </div>`
}
