// @ts-check
/**
 * Form fields made from a JSON schema: numbers, choices, switches, texts. No option is known by name: what they and
 * their values are called, and what they belong to, stands in the schema.
 */
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
  const id = `option-${name}`, special = specials(field)
  const about = field.description && html`<span class="about" id=${`${id}-about`}>
    <${WithRules} text=${[field.description, special].filter(Boolean).join('; ')} onRule=${onRule} /></span>`
  const described = `${id}-about${error ? ` ${id}-error` : ''}`
  const same = {
    id, name, 'aria-describedby': described, 'aria-invalid': error ? 'true' : undefined,
  }
  const wide = field.type === 'string' && !field.enum
  return html`<div class=${`option ${wide ? 'is-text' : ''} ${value === usual ? '' : 'is-changed'}`}>
    <label for=${id}>${field.title ?? name}</label>${about}
    <${Control} field=${field} value=${value} usual=${usual} same=${same} onChange=${onChange} />
    <${FieldError} id=${id} text=${error} />
  </div>`
}

/** The values to choose from, where there are only few: those with names. @param {Field} field @returns {any[] | null} */
function listed(field) {
  if (field.enum || field.examples?.length) return field.enum ?? field.examples ?? null
  const named = Object.keys(field.names ?? {}).map(Number).sort((a, b) => a - b)
  return named.length > 1 ? named : null // a single one is an exception among others: "0: any number"
}

/** What a single number means, where any may be typed. @param {Field} field */
const specials = field => field.names && !listed(field)
  ? Object.entries(field.names).map(([value, name]) => `${value}: ${name}`).join(', ') : ''

/** @param {{field: Field, value: any, usual: any, same: object, onChange: (value: any) => void}} props */
function Control({ field, value, usual, same, onChange }) {
  if (field.type === 'boolean') {
    return html`<input type="checkbox" class="switch" ...${same} checked=${!!value}
      onChange=${(/** @type {any} */ e) => onChange(e.target.checked)} />`
  }
  const values = listed(field)
  if (values) {
    return html`<select class="input" ...${same} value=${String(value)}
      onChange=${valueTo(v => onChange(values.find(x => String(x) === v)))}>
      ${values.map(x => html`<option value=${String(x)} selected=${x === value}>${field.names?.[x] ?? x}</option>`)}
    </select>`
  }
  if (field.type === 'integer' || field.type === 'number') {
    return html`<input type="number" class="input" ...${same} value=${value} placeholder=${usual}
      min=${field.minimum} max=${field.maximum} step=${field.type === 'integer' ? 1 : 'any'}
      inputmode=${(field.minimum ?? -1) < 0 ? undefined : 'numeric'}
      onChange=${valueTo(v => onChange(v === '' ? undefined : Number(v)))} />`
  }
  return html`<input type="text" class="input" ...${same} value=${value} placeholder=${usual}
    onChange=${valueTo(v => onChange(v.trim() || undefined))} />`
}
