// @ts-check
/** What a game is played with: its cards and other pieces, drawn as on the table, counted and explained. */
import { get } from './api.js'
import { sentence } from './match/inspector.js'
import { PieceView } from './pieces.js'
import { loadTheme } from './theme.js'
import { html } from './ui.js'
/** @import { ComponentsInfo, FamilyInfo } from './protocol' */
/** @import { Piece, Theme } from './types' */

/** How many are shown beside the game in a minute. */
const SAMPLES = 6

/**
 * As the server tells it, and what it is drawn with.
 * @typedef {{options: string, families: FamilyInfo[], draw: (piece: Piece) => any}} Components
 */

/** @type {Map<string, Promise<Components>>} */
const known = new Map()

/**
 * Of a match, else of a mode, else of what is usual. `families` is empty where they cannot be had.
 * @param {{game: string, match?: string, mode?: string}} asked @returns {Promise<Components>}
 */
export function componentsOf({ game, match = '', mode = '' }) {
  const key = [game, match, mode].join('/')
  let found = known.get(key)
  if (!found) {
    found = load(game, match, mode)
    found.catch(() => known.delete(key)) // so that it can be tried again
    known.set(key, found)
  }
  return found.catch(() => ({ options: '', families: [], draw: () => null }))
}

/** @param {string} game @param {string} match @param {string} mode @returns {Promise<Components>} */
async function load(game, match, mode) {
  const usual = () => get(`/api/games/${encodeURIComponent(game)}/components?mode=${encodeURIComponent(mode)}`)
  const asked = match ? get(`/api/matches/${encodeURIComponent(match)}/components`).catch(usual) : usual()
  const [told, theme] = await Promise.all([/** @type {Promise<ComponentsInfo>} */ (asked), loadTheme(game)])
  const hasPawns = told.families.some(f => f.pieces.some(p => p.kind === 'pawn'))
  const board = hasPawns ? await import('./board/board.js') : null
  return { ...told, draw: piece => (piece.kind === 'pawn' ? board?.Pawn(piece) : drawn(piece, theme)) }
}

/** A card. What is neither card nor pawn is its name. @param {Piece} piece @param {Theme} theme */
const drawn = (piece, theme) => piece.kind === 'card' && html`<${PieceView} piece=${piece} theme=${theme} />`

/** A few of each family, as many of the first as of the last. @param {FamilyInfo[]} families */
function samples(families) {
  const lists = families.map(f => f.pieces.filter(p => ['card', 'pawn'].includes(p.kind)))
  const rounds = Array.from({ length: SAMPLES }, (_, i) => lists.flatMap((list, n) => list[i] ? [{ piece: list[i], n }] : []))
  return rounds.flat().slice(0, SAMPLES).sort((a, b) => a.n - b.n).map(x => x.piece)
}

/** Some of them, to look at. @param {{components: Components}} props */
export const Samples = ({ components: { families, draw } }) => {
  const some = samples(families)
  return some.length > 0 && html`<div class="rules-samples" aria-hidden="true">
    ${some.map(piece => html`<span key=${piece.id}>${draw({ ...piece, count: 1 })}</span>`)}
  </div>`
}

/** All of them. @param {{components: Components}} props */
export const Families = ({ components: { families, draw } }) => html`
  ${families.map(({ name, text, pieces }) => html`
    <h3>${name}</h3>
    ${text && html`<p>${text}</p>`}
    <ul class=${'rules-pieces' + (pieces.some(p => p.text) ? '' : ' is-bare')}>
      ${pieces.map(p => html`<li key=${p.id}>
        <span class="rules-piece" aria-hidden="true">${draw({ ...p, count: 1 })}</span>
        <span>${p.name !== p.value && html`<b>${p.name}</b> `}${p.count > 1 && html`<small>${p.count}×</small>`}${p.text && html`<span>${sentence(p.text)}</span>`}</span>
      </li>`)}
    </ul>`)}`
