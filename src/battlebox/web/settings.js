// @ts-check
/** The settings of this browser: the pace of others, moving pieces, the size of cards, colours. */
import { ThemeTool, applySettings } from './shell.js'
import * as storage from './storage.js'
import { html, useState } from './ui.js'

const PACES = ['slowly', 'at normal pace', 'quickly', 'at once'], SIZES = ['small', 'normal', 'large']

/** @param {{hand?: boolean}} props `hand`: cards are held here, or may be */
export function Settings({ hand = true }) {
  const [now, setNow] = useState(storage.settings())
  const keep = (/** @type {Partial<typeof now>} */ change) => {
    storage.keepSettings(change)
    setNow(storage.settings())
    applySettings()
  }
  return html`
    <section class="settings" aria-label="Settings">
      <${Pick} id="pace" label="Bots play" names=${PACES} values=${storage.PACES} value=${now.pace}
        onPick=${(/** @type {number} */ pace) => keep({ pace })} />
      <${Pick} id="motion" label="Animations" names=${['on', 'off']} values=${[true, false]} value=${now.motion}
        onPick=${(/** @type {boolean} */ motion) => keep({ motion })} />
      ${hand && html`<${Pick} id="size" label="Cards" names=${SIZES} values=${storage.SIZES} value=${now.size}
        onPick=${(/** @type {number} */ size) => keep({ size })} />`}
      <div class="field">Colours<${ThemeTool} /></div>
    </section>`
}

/** One of a few values by its name. @param {{id: string, label: string, names: string[], values: any[], value: any,
 *   onPick: (value: any) => void}} props */
const Pick = ({ id, label, names, values, value, onPick }) => html`
  <div class="field"><label for=${`setting-${id}`}>${label}</label>
    <select id=${`setting-${id}`} onChange=${(/** @type {any} */ e) => onPick(values[e.currentTarget.selectedIndex])}>
      ${names.map((name, i) => html`<option selected=${values[i] === value}>${name}</option>`)}
    </select></div>`
