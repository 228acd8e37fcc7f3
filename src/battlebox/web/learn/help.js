// @ts-check
/** Help in a first match: when one is asked something for the first time, a sentence says what it is about. */
import { get } from '../api.js'
import { Icon } from '../pieces.js'
import * as storage from '../storage.js'
import { addStyle } from '../theme.js'
import { html, useEffect } from '../ui.js'
import { InPrompt, OnTable, isDocked, watchDocked } from './coach.js'
/** @import { Choice, Scene } from '../types' */
/** @import { HelpInfo } from '../protocol' */
/** @import { Coaching, Hands } from './coach.js' */

const NOTHING = { zones: [], pieces: [] }

/** @typedef {ReturnType<typeof helper>} Helper */

/** @param {string} game @param {() => void} changed is called when what helps has changed @returns {Promise<Helper>} */
export async function loadHelp(game, changed) {
  const [{ help }] = await Promise.all([get(`/api/games/${encodeURIComponent(game)}/lessons`), addStyle('/web/learn/learn.css')])
  return helper(game, help, changed)
}

/** @param {string} game @param {Record<string, HelpInfo>} help by phase @param {() => void} changed */
function helper(game, help, changed) {
  /** The question at which it helps. */
  let open = ''
  const end = watchDocked(changed)
  return {
    /** Nobody needs it any more. */
    end,
    /** What helps with this question of the viewer, if it comes for the first time. @param {Scene} scene @param {string} question @returns {Coaching | undefined} */
    coachOf(scene, question) {
      const { phase, viewer, to_act, choices } = scene, known = help[phase]
      if (!known || !question || to_act !== viewer || !storage.wantsHelp(game)) return undefined
      if (storage.helped(game).includes(phase) && open !== question) return undefined
      const choice = choices.find(c => c.word === known.choice) ?? null
      const words = (/** @type {Hands} */ hands) => html`<${Words} key=${question} text=${known.said} choice=${choice} hands=${hands}
        onSeen=${() => {
          open = question
          storage.keepHelped(game, phase)
        }}
        onDone=${() => {
          open = ''
          changed()
        }}
        onEnd=${() => {
          storage.wantHelp(game, false)
          changed()
        }} />`
      return {
        asks: true,
        docked: isDocked(),
        choiceOf: () => choice,
        press: () => false,
        onTable: (root, hands) => html`<${OnTable} meant=${NOTHING} docked=${isDocked()} root=${root}>${words(hands)}<//>`,
        inPrompt: hands => html`<${InPrompt}>${words(hands)}<//>`,
      }
    },
  }
}

/** `choice`: what is chosen for who does not choose.
 * @param {{text: string, choice: Choice | null, hands: Hands, onSeen: () => void, onDone: () => void, onEnd: () => void}} props */
function Words({ text, choice, hands, onSeen, onDone, onEnd }) {
  useEffect(() => {
    onSeen()
    hands.say(text)
  }, [])
  const and = (/** @type {() => void} */ act) => () => {
    onDone()
    act()
  }
  return html`
    <p class="coach-head"><b>Help</b></p>
    <p>${text}</p>
    <div class="coach-keys">
      ${choice
    ? html`<button type="button" class="choice is-main" onClick=${and(() => hands.choose(choice))}>${Icon('next')}<span>Go on</span></button>
        <button type="button" class="coach-key" onClick=${onDone}><span>I choose</span></button>`
    : html`<button type="button" class="coach-key" onClick=${onDone}><span>Got it</span></button>
        ${hands.hint && html`<button type="button" class="coach-key" onClick=${and(hands.hint)}>${Icon('hint')}<span>Show me</span></button>`}`}
      <button type="button" class="coach-key" onClick=${onEnd}><span>No more help</span></button>
    </div>`
}
