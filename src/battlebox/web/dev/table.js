// @ts-check
/** The table as every seat sees it, drawn as players see it. */
import { SceneView } from '../match/zones.js'
import { SeatMark } from '../pieces.js'
import { unpacked } from '../scene.js'
import { letterOf } from '../seats.js'
import { html, useMemo } from '../ui.js'
import { FaultNote } from './fault.js'
/** @import { Position, View } from './messages' */
/** @import { Theme } from '../types' */

/** Who looks: the seat to act, all side by side, a seat, or a spectator. @typedef {'act' | 'all' | number | null} Eye */

/** @param {number | null} viewer */
export const nameOf = viewer => (viewer === null ? 'Spectators' : `Seat ${letterOf(viewer)}`)

/** What zones need to know of a match at a server. @param {string} game @param {string[]} names @param {number | null} you @returns {any} */
const roomOf = (game, names, you) => ({
  game, you, end: null, outcome: null, invitations: {}, may: [], preparing: false,
  seats: names.map((name, seat) => ({ seat, name, kind: 'person', level: '', here: true, replaced: false, resigned: false })),
})

/** `small`: one of many, to be looked at only. @param {{view: View, position: Position, theme: Theme, small?: boolean}} props */
function Seen({ view, position, theme, small }) {
  const scene = useMemo(() => view.scene && unpacked(view.scene), [view])
  const room = useMemo(() => roomOf(theme.game, position.names, view.viewer), [theme.game, position.names.length, view.viewer])
  if (view.fault) return html`<section class="paper"><${FaultNote} fault=${view.fault} title="This scene cannot be drawn" /></section>`
  return scene && html`
    <p class="dev-prompt felt-note"><b>${scene.title}</b> ${scene.prompt}</p>
    <div class="dev-scene" inert=${small}><${SceneView} scene=${scene} room=${room} theme=${theme} /></div>`
}

/** @param {{position: Position, theme: Theme, eye: Eye, onEye: (eye: Eye) => void}} props */
export function Table({ position, theme, eye, onEye }) {
  const viewers = position.views.map(v => v.viewer)
  const one = eye === 'act' ? (position.event === null ? position.to_act : position.by?.seat) ?? null : eye
  const shown = eye === 'all' ? position.views : position.views.filter(v => v.viewer === (viewers.includes(/** @type {any} */ (one)) ? one : null))
  const tab = (/** @type {Eye} */ value, /** @type {any} */ words) => html`
    <button type="button" aria-pressed=${String(eye === value)} onClick=${() => onEye(value)}>${words}</button>`
  return html`
    <main class=${'tray dev-tray' + (eye === 'all' ? ' is-all' : '')}>
      <div class="eyes" role="group" aria-label="Seen by">
        ${tab('act', 'Who acts')}
        ${viewers.map(v => tab(v, v === null ? 'Spectators' : html`${SeatMark(v, 'is-small')}<span class="vh">Seat </span>${letterOf(v)}`))}
        ${tab('all', 'Side by side')}
      </div>
      ${eye === 'all'
        ? html`<div class="side-by-side">${shown.map(v => html`
            <section key=${String(v.viewer)} aria-label=${`As seen by ${nameOf(v.viewer)}`}>
              <h2>${v.viewer !== null && SeatMark(v.viewer, 'is-small')}${nameOf(v.viewer)}</h2>
              <${Seen} view=${v} position=${position} theme=${theme} small /></section>`)}</div>`
        : shown.map(v => html`<${Seen} key=${String(v.viewer)} view=${v} position=${position} theme=${theme} />`)}
    </main>`
}
