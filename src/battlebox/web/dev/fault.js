// @ts-check
/** What is wrong with the game, in place of what cannot be shown. */
import { html } from '../ui.js'
/** @import { Fault } from './messages' */

/** The lines of the file, the meant one marked. @param {{fault: Fault}} props */
const Lines = ({ fault }) => html`
  <pre class="source" tabindex="0" role="region" aria-label=${`Lines of ${fault.where}`}>${fault.lines.map(x => html`
    <span class=${x.meant ? 'is-meant' : ''}><b>${x.meant ? '▸' : ' '}${String(x.number).padStart(4)}</b>  ${x.text}${'\n'}</span>`)}</pre>`

/** @param {{fault: Fault, title?: string}} props */
export const FaultNote = ({ fault, title }) => html`
  <div class="fault">
    ${title && html`<h2>${title}</h2>`}
    ${fault.where && html`<p class="where-it-is"><code>${fault.where}</code></p>`}
    <p class="what-it-is">${fault.what}</p>
    ${fault.lines.length > 0 && html`<${Lines} fault=${fault} />`}
    ${fault.hint && html`<p class="hint">${fault.hint.split('\n').map(x => html`${x}<br />`)}</p>`}
  </div>`
