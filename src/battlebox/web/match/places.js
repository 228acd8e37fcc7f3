// @ts-check
/** A table of places: before each seat what it has laid there, in the middle what is for all, and what may be named. */
import { PieceView } from '../pieces.js'
import { addStyle } from '../theme.js'
import { html } from '../ui.js'
import { InHand, looks } from './zones.js'
/** @import { Piece, Scene, Zone } from '../types' */
/** @import { Props } from './zones.js' */

await addStyle('/web/match/places.css')

/** More cards in hand than that have a line of their own on a phone. */
const MANY = 7

/**
 * @param {{scene: Scene, parts: {others: Zone[], centre: Zone[], own: Zone[]}, views: (zones: Zone[]) => any}} props
 */
export function PlacesTable({ scene, parts, views }) {
  const { others, own } = parts
  const isBefore = (/** @type {Zone} */ z) => z.owner !== null && !['plaque', 'fan'].includes(z.kind)
  const before = (/** @type {number | null} */ seat) => scene.zones.filter(z => isBefore(z) && z.owner === seat)
  const hands = own.filter(z => z.kind !== 'plaque'), mine = scene.viewer === null ? [] : before(scene.viewer)
  const most = Math.max(0, ...others.map(z => before(z.owner).length))
  const count = (/** @type {Zone[]} */ zones) => zones.reduce((n, z) => n + Math.max(1, z.pieces.length), 0)
  return html`
    <div class="scene is-places" data-viewer=${scene.viewer ?? ''}>
      <section class="opponents" aria-label=${scene.viewer === null ? 'Seats' : 'Opponents'} data-rove
        data-n=${others.length} data-rows=${most} style=${{ '--n': others.length }}>
        ${others.map(zone => html`
          <div key=${zone.id} class="place">
            ${views([zone])}
            ${most > 0 && html`<div class="before">${views(before(zone.owner))}</div>`}
          </div>`)}
      </section>
      <section class="centre" aria-label="Centre of the table" data-rove>
        ${views(parts.centre.filter(z => !isBefore(z)))}
      </section>
      ${own.length > 0 && html`
        <section class="own" aria-label="You">
          ${views(own.filter(z => z.kind === 'plaque'))}
          <div class=${'own-cards' + (mine.length && count(hands) > MANY ? ' is-many' : '')}
            style=${{ '--parts': mine.length + hands.length, '--all': count([...mine, ...hands]), '--held': count(hands) }}>
            ${views(mine)}
            ${hands.map(zone => html`
              <div key=${zone.id} class="held" style=${{ '--n': zone.pieces.length }}>
                ${hands.length > 1 && html`<span class="row-name" aria-hidden="true">${zone.label}</span>`}${views([zone])}
              </div>`)}
          </div>
        </section>`}
    </div>`
}

/** Cards in their order, empty places among them. @param {Props<'row'>} props */
function Row({ zone, context }) {
  const { facts, pieces } = zone, state = context.stateOf(zone.id)
  const ids = facts.places ?? pieces.map(p => p.id)
  const name = (zone.owner !== null && facts.short) || zone.label
  const card = (/** @type {Piece} */ piece) => (context.live
    ? html`<${InHand} piece=${piece} context=${context} data-owner=${zone.owner ?? undefined} />`
    : html`<${PieceView} piece=${piece} theme=${context.theme} ...${looks(context, piece.id)} />`)
  return html`
    <div class=${'row' + (state ? ` is-${state}` : '')} role="group" aria-label=${`${zone.label}: ${pieces.length ? saidOf(pieces.length, ids.length) : 'empty'}`}
      data-zone=${zone.id} data-rove data-owner=${zone.owner ?? undefined} style=${{ '--n': ids.length }}>
      <span class="row-name" title=${name} aria-hidden="true">${name}</span>
      <div class="row-cards">
        ${ids.map((/** @type {string} */ id) => {
    const piece = pieces.find(p => p.id === id)
    return html`
          <div key=${id} class="row-slot">
            ${piece ? card(piece) : html`<div class="card is-empty" aria-hidden="true"></div>`}
          </div>`
  })}
      </div>
    </div>`
}

/** @param {number} n @param {number} places */
const saidOf = (n, places) => (places > n ? `${n} of ${places} places filled` : n === 1 ? '1 card' : `${n} cards`)

/** So many that are asked for after something else has been picked are buttons anyway. */
const FEW = 8

/** What may be named though it lies nowhere; there is nothing to see before it is asked. @param {Props<'picker'>} props */
function Picker({ zone, context }) {
  const ids = new Set(zone.pieces.map(p => p.id)), { scene, stateOf } = context
  const open = zone.pieces.filter(p => ['lit', 'aim', 'picked'].includes(stateOf(p.id)))
  const isFirst = scene.choices.some(c => ids.has(c.path[0] ?? '')), isCards = open.some(p => p.kind === 'card')
  if (!open.length || (!isCards && !isFirst && open.length <= FEW)) return null
  return html`
    <div class=${'picker' + (isFirst || open.length > FEW ? '' : ' is-few')} role="group" aria-label=${zone.label} data-zone=${zone.id} data-rove>
      <p class="picker-name" aria-hidden="true">${zone.label}</p>
      <div class="picker-pieces">
        ${open.map(piece => html`<${InHand} key=${piece.id} piece=${piece} context=${context} data-still />`)}
      </div>
    </div>`
}

export const KINDS = { row: Row, picker: Picker }
