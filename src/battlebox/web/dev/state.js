// @ts-check
/** The state, a field a row: the truth, and what each seat sees of it; what is hidden and what changed is marked. */
import { SeatMark } from '../pieces.js'
import { letterOf } from '../seats.js'
import { html, useState } from '../ui.js'
/** @import { FieldRow, Item, Part, Position } from './messages' */

const VISIBILITIES = { public: 'everybody sees it', own: 'each seat sees its own', secret: 'nobody sees it' }

/** @param {Item} item */
const ItemView = ({ text, times, hidden, changed }) => html`
  <span class=${['item', hidden && 'is-hidden', changed && 'is-changed'].filter(Boolean).join(' ')}>
    ${changed && html`<span class="vh">changed: </span>`}${text}${times > 1 && html`<small> ×${times}</small>`}</span>`

/** @param {Part} part */
const PartView = ({ label, items }) => html`
  <span class="part">${label && html`<b class="part-label">${label}</b>`}${items.length
    ? items.map(x => html`<${ItemView} ...${x} />`) : html`<span class="item is-none">–</span>`}</span>`

/** @param {{row: FieldRow}} props */
const Row = ({ row }) => html`
  <tr class=${row.changed ? 'is-changed' : ''}>
    <th scope="row"><code>${row.name}</code>
      <small title=${VISIBILITIES[/** @type {keyof typeof VISIBILITIES} */ (row.visibility)]}>${row.visibility}</small>
      ${row.about && html`<small class="about">${row.about}</small>`}</th>
    ${row.cells.map((parts, i) => html`<td class=${i ? '' : 'is-truth'}>${parts.map(x => html`<${PartView} ...${x} />`)}</td>`)}
  </tr>`

/** @param {{position: Position}} props */
export function State({ position }) {
  const [only, setOnly] = useState(false)
  const rows = position.fields.filter(x => !only || x.changed), { at, event } = position
  const since = event !== null ? 'by this event' : at ? 'by the last action' : 'since the beginning'
  return html`
    <section class="paper state" aria-label="State">
      <div class="head">
        <h2>State</h2>
        <p class="legend"><span><span class="item is-hidden">hidden</span> the seat does not see it</span>
          <span><span class="item is-changed">value</span> changed ${since}</span></p>
        <label class="check"><input type="checkbox" checked=${only} onChange=${() => setOnly(!only)} />Only what changed</label>
      </div>
      <div class="scrolls" tabindex="0" role="region" aria-label="The fields of the state">
        <table style=${{ '--n': position.views.length }}>
          <thead><tr>
            <th scope="col">Field</th><th scope="col" class="is-truth">Truth</th>
            ${position.views.map(({ viewer }) => html`<th scope="col">${viewer === null ? 'Spectators see'
              : html`${SeatMark(viewer, 'is-small')}<span>${letterOf(viewer)} sees <small>seat ${viewer}</small></span>`}</th>`)}
          </tr></thead>
          <tbody>${rows.map(row => html`<${Row} key=${row.name} row=${row} />`)}</tbody>
        </table>
        ${!rows.length && html`<p class="hint">Nothing has changed.</p>`}
      </div>
    </section>`
}
