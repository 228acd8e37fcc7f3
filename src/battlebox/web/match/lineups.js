// @ts-check
/** The lineups that this browser keeps, and where one names and deletes them. Loaded with lineup.js. */
import { ChoiceButton } from '../pieces.js'
import { Dialog, FieldError } from '../shell.js'
import { read, write } from '../storage.js'
import { html, render, useState } from '../ui.js'

/** So many are kept, the newest; and so long is a name at most. */
const MOST = 12, LONGEST = 24

/** @typedef {{name: string, at: Record<string, string>}} Kept where each piece lies */

/** @returns {Kept[]} */
export const keptLineups = () => read('lineups', []).filter((/** @type {any} */ x) => typeof x?.name === 'string' && x.at instanceof Object)

/** @param {Kept[]} all */
const keep = all => write('lineups', all.slice(-MOST))

/** Keeps one more, under a name that is free. @param {Kept['at']} at */
export function keepLineup(at) {
  const kept = keptLineups()
  for (let n = 1; ; n += 1) {
    const name = `My lineup ${n}`
    if (!kept.some(x => x.name === name)) return keep([...kept, { name, at }])
  }
}

/** What is wrong with a name; '' if nothing. @param {string} name @param {Kept[]} others */
function wrong(name, others) {
  if (!name) return 'Give the lineup a name.'
  return others.some(x => x.name === name) ? `You already have a lineup called ${name}.` : ''
}

/** @param {{onClose: () => void}} props */
function Lineups({ onClose }) {
  const [all, setAll] = useState(keptLineups), [error, setError] = useState({ at: -1, text: '' })
  const change = (/** @type {Kept[]} */ now) => {
    keep(now)
    setAll(now)
    setError({ at: -1, text: '' })
  }
  const rename = (/** @type {number} */ k, /** @type {string} */ said) => {
    const name = said.trim(), text = wrong(name, all.filter((_, i) => i !== k))
    if (text) setError({ at: k, text })
    else change(all.map((x, i) => (i === k ? { ...x, name } : x)))
  }
  return html`
    <${Dialog} title="Your lineups" onClose=${onClose}>
      ${all.map((x, k) => html`
        <div key=${JSON.stringify(x.at)}>
          <div class="row">
            <input aria-label=${`Name of ${x.name}`} maxlength=${LONGEST} defaultValue=${x.name} style="flex: 1 1 10rem"
              aria-invalid=${error.at === k ? 'true' : undefined} onChange=${(/** @type {any} */ e) => rename(k, e.currentTarget.value)} />
            <${ChoiceButton} text="Delete" aria-label=${`Delete ${x.name}`} tone="danger"
              onClick=${() => change(all.filter((_, i) => i !== k))} />
          </div>
          <div style="color: var(--bad)"><${FieldError} id=${`lineup-${k}`} text=${error.at === k ? error.text : ''} /></div>
        </div>`)}
      ${!all.length && html`<p>You have no saved lineups in this browser.</p>`}
      <div class="row"><${ChoiceButton} text="Done" tone="main" onClick=${onClose} /></div>
    <//>`
}

/** Lets one name and delete what is kept. @param {() => void} done */
export function editLineups(done) {
  const host = document.body.appendChild(document.createElement('div'))
  const close = () => {
    render(null, host)
    host.remove()
    done()
  }
  render(html`<${Lineups} onClose=${close} />`, host)
}
