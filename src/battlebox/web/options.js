// @ts-check
/** Form fields made from a JSON schema: numbers, choices, switches, texts. No option is known by name. */
import { html } from './ui.js'
/** @import { Field } from './setup.js' */

/** The field itself, where the schema refers to it or allows it to be absent. @param {Field} field
 * @param {Record<string, Field>} defs @returns {Field} */
export function plainField(field, defs) {
  const one = field.anyOf?.find(f => f.type !== 'null')
  const named = (one ?? field).$ref?.split('/').at(-1)
  const { anyOf, $ref, ...rest } = field
  return { ...(named ? defs[named] : one), ...rest }
}

/**
 * A listener that hands on the value of its field.
 * @param {(value: string) => void} use
 * @returns {(e: any) => void}
 */
export const valueTo = use => e => use(e.currentTarget.value)

/** What is wrong, said at the field it belongs to. @param {{id: string, text?: string}} props */
export const FieldError = ({ id, text }) => text
  ? html`<p class="field-error" id=${`${id}-error`} role="alert">${text}</p>` : null

/** A sentence whose rules can be opened. @param {{text: string, onRule: (id: string) => void}} props */
export function WithRules({ text, onRule }) {
  const parts = text.split(/\b([A-Z]{1,3}-?\d+)((?:\.\.\d+)?)\b/)
  return html`${parts.map((x, i) => i % 3 === 0 ? x : i % 3 === 2 ? null : html`
    <button type="button" class="rule-ref" aria-label=${`Rule ${x}${parts[i + 1]}`}
      onClick=${() => onRule(x)}>${x}${parts[i + 1]}</button>`)}`
}

/**
 * @param {{name: string, field: Field, value: any, usual: any, error?: string,
 *   onRule: (id: string) => void, onChange: (value: any) => void}} props
 */
export function OptionField({ name, field, value, usual, error, onRule, onChange }) {
  const id = `option-${name}`, title = sentence(field.title ?? name)
  const about = field.description && html`<span class="about" id=${`${id}-about`}>
    <${WithRules} text=${field.description} onRule=${onRule} /></span>`
  const described = `${id}-about${error ? ` ${id}-error` : ''}`
  const same = {
    id, name, 'aria-describedby': described, 'aria-invalid': error ? 'true' : undefined,
  }
  const wide = field.type === 'string' && !field.enum
  return html`<div class=${`option ${wide ? 'is-text' : ''} ${value === usual ? '' : 'is-changed'}`}>
    <label for=${id}>${title}</label>${about}
    <${Control} field=${field} value=${value} usual=${usual} same=${same} onChange=${onChange} />
    <${FieldError} id=${id} text=${error} />
  </div>`
}

/** @param {{field: Field, value: any, usual: any, same: object, onChange: (value: any) => void}} props */
function Control({ field, value, usual, same, onChange }) {
  if (field.type === 'boolean') {
    return html`<input type="checkbox" class="switch" ...${same} checked=${!!value}
      onChange=${(/** @type {any} */ e) => onChange(e.target.checked)} />`
  }
  if (field.enum) {
    return html`<select class="input" ...${same} value=${String(value)}
      onChange=${valueTo(v => onChange(field.enum?.find(x => String(x) === v)))}>
      ${field.enum.map(x => html`<option value=${String(x)} selected=${x === value}>${x}</option>`)}
    </select>`
  }
  if (field.type === 'integer' || field.type === 'number') {
    return html`<input type="number" class="input" ...${same} value=${value} placeholder=${usual}
      min=${field.minimum} max=${field.maximum} step=${field.type === 'integer' ? 1 : 'any'}
      inputmode=${(field.minimum ?? -1) < 0 ? undefined : 'numeric'}
      onChange=${valueTo(v => onChange(v === '' ? undefined : Number(v)))} />`
  }
  if (field.examples?.length) {
    return html`<select class="input" ...${same} onChange=${valueTo(onChange)}>
      ${field.examples.map(x => html`<option value=${x} selected=${x === value}>${x}</option>`)}</select>`
  }
  return html`<input type="text" class="input" ...${same} value=${value} placeholder=${usual}
    onChange=${valueTo(v => onChange(v.trim() || undefined))} />`
}

/** "Out Hand" as in a sentence. @param {string} title */
const sentence = title => {
  const words = title.replaceAll('_', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1).replace(/\b[A-Z](?=[a-z])/g, c => c.toLowerCase())
}
