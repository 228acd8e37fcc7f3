// @ts-check
/** A position as a scenario: what is done in it and what holds then, to be copied or saved. */
import { post } from '../api.js'
import { ChoiceButton } from '../pieces.js'
import { Dialog, valueTo } from '../shell.js'
import { html, useEffect, useState } from '../ui.js'
/** @import { Position } from './messages' */

/** @param {{position: Position, onClose: () => void}} props */
export function ScenarioDialog({ position, onClose }) {
  const { at, line } = position, last = line.acts.length
  const [begin, setBegin] = useState(Math.max(0, at - 1)), [end, setEnd] = useState(at)
  const [title, setTitle] = useState(''), [text, setText] = useState('')
  const [said, setSaid] = useState(''), [wrong, setWrong] = useState(''), [whyNot, setWhyNot] = useState('')
  useEffect(() => {
    let wanted = true
    post('/api/dev/scenario', { line, begin, end, title }).then(({ answer, fault }) => {
      if (!wanted) return
      setText(answer?.text ?? '')
      setWhyNot(answer?.why_not ?? '')
      setWrong(fault ? `${fault.where} ${fault.what}` : '')
      setSaid('')
    }, e => {
      if (!wanted) return
      setText('')
      setWrong(e.message)
    })
    return () => { wanted = false }
  }, [begin, end, title])
  const save = () => post('/api/dev/scenario/save', { text }).then(
    ({ answer, fault }) => {
      setWrong(fault ? `${fault.where} ${fault.what}` : '')
      setSaid(answer ? `Saved: ${answer.where}. It holds.` : '')
    },
    e => setWrong(e.message),
  )
  const copy = () => navigator.clipboard.writeText(text).then(() => setSaid('Copied.'), () => setSaid('Copy it from the field.'))
  const number = (/** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most,
    /** @type {(n: number) => void} */ set) => html`
    <label class="field">${label}<input type="number" min=${least} max=${most} value=${value}
      onChange=${valueTo(v => set(Math.max(least, Math.min(most, Math.floor(Number(v)) || 0))))} /></label>`
  return html`
    <${Dialog} title="Save as scenario" cls="scenario-dialog" onClose=${onClose}>
      <p>A scenario is a rule by example: a position, what is done, and what must be so then. It is kept in <code>scenarios.scn</code>;
        you may change the text before you save it.</p>
      <div class="row">
        ${number('The position after decision', begin, 0, end, setBegin)}
        ${number('What is done until decision', end, begin, last, setEnd)}
        <label class="field is-wide">What it shows<input value=${title} placeholder="the strongest beast takes the point" onChange=${valueTo(setTitle)} /></label>
      </div>
      ${text && html`<label class="field">The scenario<textarea rows="9" spellcheck="false" value=${text} onInput=${valueTo(v => { setText(v); setSaid('') })}></textarea></label>`}
      ${wrong && html`<p class="field-error" role="alert">${wrong}</p>`}
      ${whyNot && html`<p class="hint">${whyNot}</p>`}
      <div class="row">
        <${ChoiceButton} text="Save" tone="main" disabled=${!text || Boolean(whyNot) || Boolean(said.startsWith('Saved'))} onClick=${save} />
        <${ChoiceButton} text="Copy" disabled=${!text} onClick=${copy} />
        <span role="status" class="is-good">${said}</span>
      </div>
    <//>`
}
