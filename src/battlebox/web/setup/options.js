// @ts-check
/**
 * Form fields made from a JSON schema: numbers, choices, switches, texts. No option is known by name: what they and
 * their values are called, and what they belong to, stands in the schema.
 */
import { most, usually, withOption } from './setup.js'
import { FieldError, valueTo } from '../shell.js'
import { html, useEffect } from '../ui.js'
/** @import { Field, Game, Setup } from './setup.js' */

/** The field itself, where the schema refers to it or allows it to be absent. @param {Field} field
 * @param {Record<string, Field>} defs @returns {Field} */
function plainField(field, defs) {
  const one = field.anyOf?.find(f => f.type !== 'null')
  const named = (one ?? field).$ref?.split('/').at(-1)
  const { anyOf, $ref, ...rest } = field
  return { ...(named ? defs[named] : one), ...rest }
}

/** So many letters of a value have room beside what it is about. */
const BRIEF = 10

/** A sentence whose rules can be opened; brackets and commas stay with them. @param {{text: string, onRule: (id: string) => void}} props */
function WithRules({ text, onRule }) {
  const parts = text.split(/(\(?)\b([A-Z]{1,3}-?\d+)((?:\.\.\d+)?)\b([),;.]*)/)
  return html`${parts.map((x, i) => i % 5 === 0 ? x : i % 5 !== 2 ? null : html`
    <span class="with-rule">${parts[i - 1]}<button type="button" class="rule-ref"
      aria-label=${`Rule ${x}${parts[i + 1]}`} onClick=${() => onRule(x)}>${x}${parts[i + 1]}</button>${parts[i + 2]}</span>`)}`
}

/**
 * @param {{name: string, field: Field, value: any, usual: any, error?: string,
 *   onRule: (id: string) => void, onChange: (value: any) => void}} props
 */
function OptionField({ name, field, value, usual, error, onRule, onChange }) {
  const id = `option-${name}`, special = specials(field)
  const about = field.description && html`<span class="about" id=${`${id}-about`}>
    <${WithRules} text=${[field.description, special].filter(Boolean).join('; ')} onRule=${onRule} /></span>`
  const described = `${id}-about${error ? ` ${id}-error` : ''}`
  const same = {
    id, name, 'aria-describedby': described, 'aria-invalid': error ? 'true' : undefined,
  }
  const names = listed(field)?.map(x => String(field.names?.[x] ?? x))
  const isWide = names ? names.some(x => x.length > BRIEF) : field.type === 'string'
  return html`<div class=${`option ${isWide ? 'is-text' : ''} ${value === usual ? '' : 'is-changed'}`}>
    <label for=${id}>${field.title ?? name}</label>${about}
    <${Control} field=${field} value=${value} usual=${usual} same=${same} onChange=${onChange} />
    <${FieldError} id=${id} text=${error} />
  </div>`
}

/** The values to choose from, where there are only few: those with names. @param {Field} field @returns {any[] | null} */
function listed(field) {
  if (field.enum || field.examples?.length) return field.enum ?? field.examples ?? null
  const named = Object.keys(field.names ?? {}).map(Number).filter(x => x <= (field.maximum ?? x)).sort((a, b) => a - b)
  return named.length > 1 ? named : null // a single one is an exception among others: "0: no limit"
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

/**
 * All that may be chosen of a game, in its groups, and of this match. `wrong`: one of the fields says what is wrong with it.
 * @param {{game: Game, setup: Setup, setSetup: (setup: Setup) => void, extra: Record<string, string>,
 *   setExtra: (extra: any) => void, wrong: boolean, changed: number, at: (where: string) => string | undefined,
 *   onRule: (id: string) => void}} props
 */
export function Options({ game, setup, setSetup, extra, setExtra, wrong, changed, at, onRule }) {
  const fields = Object.entries(game.options.properties).filter(([key]) => key !== 'players')
    .map(([key, field]) => /** @type {const} */ ([key, { ...field, maximum: most(field, setup.seats.length) }]))
  const groups = [...new Set(fields.map(([_, field]) => field.group ?? ''))]
  const set = (/** @type {string} */ key) => valueTo(v => setExtra({ ...extra, [key]: v }))
  useEffect(() => {
    if (wrong) document.querySelector('.setup [aria-invalid]')?.scrollIntoView({ block: 'center' })
  }, [wrong])
  return html`<div class="options">
    ${groups.map(group => html`${group && html`<h3 class="field-label">${group}</h3>`}
      ${fields.filter(([_, field]) => (field.group ?? '') === group).map(([key, field]) => html`
        <${OptionField} key=${key} name=${key}
          field=${plainField(field, game.options.$defs ?? {})} usual=${usually(game, setup.mode, key)}
          value=${setup.changes[key] ?? usually(game, setup.mode, key)}
          error=${key === 'deck' && extra.deck ? undefined : at(key)} onRule=${onRule}
          onChange=${(/** @type {any} */ value) => setSetup(withOption(game, setup, key, value))} />
        ${key === 'deck' && html`<${OwnDeck} what=${(field.title ?? key).toLowerCase()} extra=${extra} setExtra=${setExtra} error=${at('deck')} />`}`)}`)}
    <h3 class="field-label">This match</h3>
    <${Num} id="seed" label="Seed" value=${extra.seed} onChange=${set('seed')} error=${at('seed')}
      about="The same seed deals the same cards and dice again. Leave it empty for fair dice, which you can check at the end." />
    <${Num} id="delay" label="Delay for spectators" value=${extra.delay} onChange=${set('delay')}
      error=${at('delay')} about="Spectators see the match this many seconds later." />
    ${changed > 0 && html`<button type="button" class="choice" onClick=${() => {
      setSetup({ ...setup, changes: {} })
      setExtra({ deck: '', deckName: '', seed: '', delay: '' })
    }}><span>Reset to defaults</span></button>`}
  </div>`
}

/** A number that is not an option of the game. @param {{id: string, label: string, about: string, value?: string,
 *   error?: string, onChange: (e: Event) => void}} props */
const Num = ({ id, label, about, value, error, onChange }) => html`
  <div class=${`option ${value ? 'is-changed' : ''}`}><label for=${`match-${id}`}>${label}</label>
    <span class="about" id=${`match-${id}-about`}>${about}</span>
    <input id=${`match-${id}`} class="input" type="number" min="0" step="1" inputmode="numeric" value=${value}
      aria-describedby=${`match-${id}-about${error ? ` match-${id}-error` : ''}`}
      aria-invalid=${error ? 'true' : undefined} onChange=${onChange} />
    <${FieldError} id=${`match-${id}`} text=${error} /></div>`

/** @param {{what: string, extra: Record<string, string>, setExtra: (extra: any) => void, error?: string}} props */
function OwnDeck({ what, extra, setExtra, error }) {
  /** @param {any} e */
  const read = async e => {
    const file = /** @type {File | undefined} */ (e.target.files[0])
    setExtra({ ...extra, deck: file ? await file.text() : '', deckName: file?.name ?? '' })
  }
  return html`<div class=${`option is-file ${extra.deck ? 'is-changed' : ''}`}>
    <label for="match-deck">Your own ${what}</label>
    <span class="about" id="match-deck-about">${extra.deckName ? `In use: ${extra.deckName}`
      : `A .toml file from this device replaces the ${what} above.`}</span>
    <input id="match-deck" type="file" accept=".toml,text/plain" aria-describedby="match-deck-about"
      aria-invalid=${error && extra.deck ? 'true' : undefined} onChange=${read} />
    <${FieldError} id="match-deck" text=${extra.deck ? error : undefined} />
  </div>`
}
