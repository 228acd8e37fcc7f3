// @ts-check
/** A position as a scenario: what is done in it and what holds then, to be copied or saved. */
import { post } from '../api.js'
import { ChoiceButton } from '../pieces.js'
import { Dialog, valueTo } from '../shell.js'
import { html, useEffect, useRef, useState } from '../ui.js'
/** @import { Position } from './messages' */

/** The line that names a scenario: its id, its title, its rules. */
const HEAD = /^(scenario \S+)(.*?)(\s*\[[^\]]*\])?$/m

/** A text with another title. @param {string} text @param {string} title */
const titled = (text, title) => text.replace(HEAD, (_, id, __, rules = '') =>
  `${id} ${title.replaceAll('[', '(').replaceAll(']', ')').replace(/\s+/g, ' ').replace(/(^| )#/g, '$1').trim()}${rules}`)

/** The title of a text. @param {string} text */
const titleOf = text => (HEAD.exec(text)?.[2] ?? '').trim()

/** @param {{position: Position, onClose: () => void}} props */
export function ScenarioDialog({ position, onClose }) {
  const { at, line } = position, last = line.acts.length
  const [begin, setBegin] = useState(Math.max(0, at - 1)), [end, setEnd] = useState(at)
  const [text, setText] = useState(''), [of, setOf] = useState(/** @type {[number, number]} */ ([-1, -1]))
  const [said, setSaid] = useState(''), [wrong, setWrong] = useState(''), [whyNot, setWhyNot] = useState('')
  const [fails, setFails] = useState(false)
  const box = useRef(/** @type {HTMLTextAreaElement | null} */ (null))
  const change = (/** @type {string} */ to) => {
    setText(to)
    setSaid('')
    setWrong('')
    setFails(false)
  }
  /** Writes it from the match, in place of what is in the box. @param {string} title */
  const write = title => post('/api/dev/scenario', { line, begin, end, title }).then(({ answer, fault }) => {
    change(answer?.text ?? '')
    setOf([begin, end])
    setWhyNot(answer?.why_not ?? '')
    setWrong(fault ? `${fault.where} ${fault.what}` : '')
  }, e => setWrong(e.message))
  useEffect(() => { write('') }, [])
  const save = (/** @type {boolean} */ anyway) => post('/api/dev/scenario/save', { text: box.current?.value ?? text, anyway }).then(
    ({ answer, fault }) => {
      const saved = answer?.where, why = answer?.fails
      setFails(Boolean(why) && !saved)
      setWrong(fault ? `${fault.where} ${fault.what}` : why ? `It does not hold${saved ? ' yet' : ''}: ${why}` : '')
      setSaid(saved ? `Saved: ${saved}.${why ? '' : ' It holds.'}` : '')
    },
    e => {
      setFails(false)
      setWrong(e.message)
    },
  )
  const copy = () => navigator.clipboard.writeText(box.current?.value ?? text).then(() => setSaid('Copied.'), () => setSaid('Copy it from the field.'))
  const number = (/** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most,
    /** @type {(n: number) => void} */ set) => html`
    <label class="field">${label}<input type="number" min=${least} max=${most} value=${value} disabled=${!last}
      onInput=${valueTo(v => { if (v !== '') set(Math.max(least, Math.min(most, Math.floor(Number(v)) || 0))) })} /></label>`
  const isOther = of[0] >= 0 && (of[0] !== begin || of[1] !== end)
  return html`
    <${Dialog} title="Save as scenario" cls="scenario-dialog" onClose=${onClose}>
      <p>A scenario is a rule by example: a position, what is done, and what must be so then. It is kept in <code>scenarios.scn</code>;
        you may change the text before you save it.</p>
      <div class="row is-low">
        ${number('The position after decision', begin, 0, last, v => { setBegin(v); if (v > end) setEnd(v) })}
        ${number('What is done until decision', end, 0, last, v => { setEnd(v); if (v < begin) setBegin(v) })}
        <${ChoiceButton} text=${text ? 'Write it anew' : 'Write it'} disabled=${!last && Boolean(text)} onClick=${() => write(titleOf(box.current?.value ?? text))} />
      </div>
      <p class="hint" role="status">${!last ? 'Nothing has been done in this match yet: it is about the position before the first decision.'
        : isOther ? `The text below is still about decisions ${of[0]} to ${of[1]}. “Write it anew” takes ${begin} to ${end}; what you changed in it is lost.`
        : 'Both count the decisions of the match, 0 is its beginning; “Write it anew” takes them up.'}</p>
      ${text && html`
        <label class="field is-wide">What it shows<input value=${titleOf(text)} onInput=${valueTo(v => change(titled(box.current?.value ?? text, v)))} /></label>
        <label class="field">The scenario<textarea ref=${box} rows="9" spellcheck="false" value=${text} onInput=${valueTo(change)}></textarea></label>`}
      ${wrong && html`<p class="field-error" role="alert">${wrong}</p>`}
      ${whyNot && html`<p class="hint">${whyNot}</p>`}
      <div class="row">
        <${ChoiceButton} text="Save" tone="main" disabled=${!text || Boolean(whyNot) || said.startsWith('Saved')} onClick=${() => save(false)} />
        ${fails && html`<${ChoiceButton} text="Save anyway" title="It is written as it stands; the checks say that it fails" onClick=${() => save(true)} />`}
        <${ChoiceButton} text="Copy" disabled=${!text} onClick=${copy} />
        <span role="status" class="is-good">${said}</span>
      </div>
    <//>`
}
