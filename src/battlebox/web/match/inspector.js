// @ts-check
/** The inspector in the rail: the full text of the card that is looked at. */
import { Icon } from '../pieces.js'
import { html } from '../ui.js'
/** @import { Scene, Theme } from '../types' */

/** With a capital and a full stop. @param {string} text */
export const sentence = text => (
  text.replace(/^./, c => c.toUpperCase()) + (/[.!?]$/.test(text) || !text ? '' : '.')
)

/**
 * What there is to read about a piece or a zone.
 * @param {Scene} scene @param {string} id
 * @returns {{title: string, lines: string[], piece?: import('../types').Piece} | null}
 */
export function inspected(scene, id) {
  for (const zone of scene.zones) {
    const piece = zone.pieces.find(p => p.id === id)
    if (piece) {
      const title = piece.name || piece.label, more = piece.text || piece.label
      return { title, lines: more === title ? [] : [sentence(more)], piece }
    }
    if (zone.id !== id) continue
    const { contents = {}, notes = [], count, text } = zone.facts
    const inside = Object.entries(contents).map(([what, n]) => (n === 1 ? what : `${n} ${what}`)).join(', ')
    const lines = [text, inside, ...notes].filter(Boolean).map(sentence)
    if (count !== undefined) lines.unshift(count === 1 ? '1 card.' : `${count} cards.`)
    return { title: zone.label, lines }
  }
  return null
}

/** Links to rules by their ids. @param {{ids?: string[], onRule: (id: string) => void}} props */
export const RuleLinks = ({ ids = [], onRule }) => ids.slice(0, 4).map(id => html`
  <button type="button" class="rule-link" aria-label=${`Rule ${id}`} onClick=${() => onRule(id)}>
    ${id}
  </button>`)

/**
 * @param {{scene: Scene, theme: Theme, id: string | null, rules: string[],
 *   onRule: (id: string) => void}} props
 */
export function Inspector({ scene, theme, id, rules, onRule }) {
  const last = scene.zones.find(z => z.kind === 'line' && z.pieces.length)?.pieces[0]
  const about = (id && inspected(scene, id)) || (last && inspected(scene, last.id))
  const icon = about?.piece && theme.icon(about.piece)
  return html`
    <section class="note lens" aria-label="Inspector">
      <h2>${Icon(icon || 'eye')}${about ? about.title : 'Inspector'}</h2>
      ${about ? about.lines.map(l => html`<p>${l}</p>`) : html`<p>Point at something to read about it here.</p>`}
      ${rules.length > 0 && html`
        <p class="rule-links">Rules: <${RuleLinks} ids=${rules} onRule=${onRule} /></p>`}
    </section>`
}
