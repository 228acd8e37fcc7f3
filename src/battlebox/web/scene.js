// @ts-check
/** Scenes as the server packs them: what is alike is said once, and nothing that is empty. */
/** @import { PackedZone } from './protocol' */
/** @import { Choice, Piece, Scene, Zone } from './types' */

/** What stands in the rows of choices and pieces, the word in them first; and where it stands in what is alike. */
const CHOICE = ['word', 'action', 'sub', 'then'], PIECE = ['code'], WORD = '{}'

/** @type {Partial<Choice>} */
const SOME_CHOICE = { sub: '', path: [], tone: 'plain', rules: [], then: {} }
/** @type {Partial<Piece>} */
const SOME_PIECE = { kind: 'card', code: '', name: '', value: '', text: '', tone: '', count: 1 }

/** @param {any} scene @returns {Scene} */
export function unpacked({ alike = [], choices, refusals = [], zones, ...more }) {
  return {
    ...more,
    zones: zones.map(unpackedZone),
    choices: rowsOf(alike, choices, CHOICE, SOME_CHOICE),
    refusals: refusals.map((/** @type {any} */ r) => ({ rules: [], ...r })),
  }
}

/** @param {PackedZone} zone @returns {Zone} */
export function unpackedZone({ alike = [], pieces = [], ...more }) {
  return { owner: null, facts: {}, ...more, pieces: piecesOf(alike, pieces) }
}

/** @param {any[]} alike @param {any[]} rows @returns {Piece[]} */
export const piecesOf = (alike, rows) => rowsOf(alike, rows, PIECE, SOME_PIECE)

/** What a piece would take up at a place; undefined: it may not lie there. @param {Scene} scene @param {string} piece @param {string} [place] */
export const taken = ({ placements }, piece, place = '') => placements?.find(x => x.pieces.includes(piece))?.places[place]

/** @param {any[]} alike @param {any[]} rows @param {string[]} own @param {object} some @returns {any[]} */
function rowsOf(alike, rows, own, some) {
  return rows.map((/** @type {any[]} */ [like, ...mine]) => {
    const named = mine.map((v, i) => [own[i], v]), said = Object.fromEntries(named.filter(([, v]) => v !== null))
    const [stem] = /^[A-Za-z0-9]*/.exec(said[own[0] ?? ''] ?? '') ?? ['']
    return { ...some, ...(stem ? withStem(alike[like], stem) : alike[like]), ...said }
  })
}

/** @param {Record<string, any>} said @param {string} stem the first letters and digits of the word */
const withStem = (said, stem) => Object.fromEntries(Object.entries(said).map(([k, v]) => {
  if (typeof v === 'string') return [k, v.replaceAll(WORD, stem)]
  return [k, k === 'path' ? v.map((/** @type {string} */ x) => x.replaceAll(WORD, stem)) : v]
}))
