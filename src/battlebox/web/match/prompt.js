// @ts-check
/** The question, in a sentence, and its answers as buttons that say everything in words. */
import { Advice } from './advice.js'
import { Countdown, Habit } from './response_window.js'
import { RuleLinks } from './inspector.js'
import { FEW, areTapped } from './picking.js'
import { ChoiceButton, Icon } from '../pieces.js'
import { html } from '../ui.js'
import { Badge } from './zones.js'
/** @import { useAdvice } from './advice.js' */
/** @import { Choice, EventView, RunningCountdown, Theme } from '../types' */
/** @import { Child } from '../vendor/preact.js' */
/** @import { Button } from './picking.js' */

/**
 * Something worth knowing beneath the question: a card's text, or why it cannot be chosen.
 * @typedef {{text: string, rules?: string[]}} Hint
 */

/**
 * How buttons are laid out: what lies on the table as well is not repeated where it would be much; many others are a list.
 * @param {Button[]} buttons
 */
function shapeOf(buttons) {
  const onTable = buttons.filter(b => b.piece).length, isTapped = areTapped(buttons)
  if (onTable > FEW && !isTapped) return 'is-list' // it has been asked for
  return [isTapped && 'is-tapped', buttons.length - onTable > FEW && 'is-many'].filter(Boolean).join(' ')
}

/**
 * A quiet button beside the cue; its key is its first letter.
 * @param {{icon: string, text: string, title: string, busy?: boolean, onClick: () => void}} props
 */
const Aid = ({ icon, text, title, busy, onClick }) => html`
  <button type="button" class="asking" aria-keyshortcuts=${text[0].toLowerCase()} title=${title} aria-disabled=${busy ? 'true' : undefined}
    onClick=${onClick}>
    ${Icon(icon)}<span>${text}</span><kbd aria-hidden="true">${text[0]}</kbd></button>`

/**
 * `never`: a question that can be declined once for all: how that is called.
 * @param {{yours: boolean, cue: string, text: string, aside: Child, hint: Hint | null, buttons: Button[], busy: boolean,
 *   advice: ReturnType<typeof useAdvice>, countdown: RunningCountdown | null, never: string, onNever: () => void,
 *   behind: boolean, isAlone: boolean, news: EventView[], theme: Theme, bar: any, onAgain: (() => void) | null, onUndo: (() => void) | null,
 *   onPress: (b: Button) => void, onSee: (c: Choice | null) => void, onRule: (id: string) => void, onSkip: () => void}} props
 */
export function Prompt(props) {
  const { yours, cue, text, aside, hint, buttons, busy, behind, news, theme, onPress, onSee, onRule, onSkip } = props
  const { countdown, never, onNever, advice, bar, onAgain, onUndo, isAlone } = props
  const isAdvised = (/** @type {Button} */ b) => Boolean(advice.choice && b.sees?.includes(advice.choice))
  /** What a screen reader says, where that is not what stands there. @param {Button} b */
  const nameOf = b => (b.label || isAdvised(b)
    ? [b.label || b.text, b.full || b.sub, isAdvised(b) && 'the hint'].filter(Boolean).join(': ') : undefined)
  const isTapped = areTapped(buttons) // most have no button
  const see = (/** @type {Button} */ b) => onSee(b.sees?.length === 1 ? b.sees[0] : null)
  return html`
    <section class=${'prompt' + (yours ? ' is-yours' : '')} id="choices" tabindex="-1"
      aria-label="What to do now" aria-busy=${busy ? 'true' : undefined}>
      <div class="prompt-say">
        <div class="prompt-top">
          <p class="cue" title=${cue}>${Icon(yours ? 'bell' : 'clock')}<span>${cue}</span></p>
          ${countdown && html`<${Countdown} countdown=${countdown} />`}
          ${advice.may && html`<${Aid} icon="hint" text="Hint" title="What the strongest bot would do" busy=${advice.busy} onClick=${advice.seek} />`}
          ${onAgain && html`<${Aid} icon="swirl" text="Replay" title="Show the others’ last moves again" onClick=${onAgain} />`}
          ${onUndo && html`<${Aid} icon="undo" text="Undo" title=${isAlone ? 'Take back your last decision, and what the bots have done since' : 'Ask the others to take back your last action'} onClick=${onUndo} />`}
        </div>
        ${text && html`<p class="prompt-text">${text}</p>`}
        ${aside && html`<div class="prompt-hint">${aside}</div>`}
        ${advice.text && html`<${Advice} text=${advice.text} />`}
        ${hint && html`
          <p class="prompt-hint">${hint.text} <${RuleLinks} ids=${hint.rules} onRule=${onRule} /></p>`}
        ${buttons.some(b => b.piece) && html`
          <p class=${`prompt-hint tip ${isTapped ? 'is-needed' : 'only-phone'}`}>Tap a lit card or piece${
            isTapped && buttons.some(b => !b.piece) ? ', or choose here:' : ', or drag it to its place.'}</p>`}
      </div>
      ${!buttons.length && news.length > 0 && html`
        <ol class="news" aria-hidden="true">${news.map(({ text, args: { seat } }) => html`<li title=${text}>${theme.marks && typeof seat === 'number' && Badge(theme, seat, 'is-small')}${text}</li>`)}</ol>`}
      ${bar}
      ${(buttons.length > 0 || behind) && html`
        <div class=${`choices ${shapeOf(buttons)}`} role="group" aria-label="Choices">
          ${buttons.map(b => html`
            <${ChoiceButton} key=${b.text + (b.pick || '')} text=${b.text} sub=${b.sub} tone=${b.tone}
              class=${[b.piece && 'is-step', isAdvised(b) && 'is-advised'].filter(Boolean).join(' ')}
              icon=${isAdvised(b) ? 'hint' : undefined} disabled=${busy}
              hint=${b.key || undefined}
              aria-label=${nameOf(b)}
              onClick=${() => onPress(b)} onMouseEnter=${() => see(b)} onFocus=${() => see(b)}
              onMouseLeave=${() => onSee(null)} onBlur=${() => onSee(null)} />`)}
          ${never && buttons.length > 0 && html`<${Habit} text=${never} on=${false} onFlip=${onNever} />`}
          ${!buttons.length && behind && html`
            <${ChoiceButton} text="Skip ahead" icon="next" hint="any key" onClick=${onSkip} />`}
        </div>`}
    </section>`
}
