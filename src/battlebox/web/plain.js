// @ts-check
/** How a game looks that has no looks of its own: a hue for the game, one for each kind of piece, names instead of pictures. */
import { addStyle } from './theme.js'
/** @import { Piece, Theme } from './types' */

/** Degrees between the hues of kinds that follow each other: none come close to each other soon. */
const GOLDEN = 137.5

/** A number from a text, the same everywhere. @param {string} text */
const numberOf = text => [...text].reduce((n, c) => (n * 31 + c.charCodeAt(0)) % 9973, 7)

/** @param {Pick<Piece, 'tone'> & Partial<Piece>} piece */
const hueOf = ({ tone, code, name, label }) => {
  const kind = /^kind(\d+)$/.exec(tone)
  return Math.round((kind ? 28 + GOLDEN * Number(kind[1]) : numberOf(tone || code || name || label || '')) % 360)
}

/** What stands large on a piece: a number, a short name, or the first letter of each word. @param {Piece} piece */
const sign = ({ value, name, label }) => {
  const text = value || name || label
  return text.length < 3 ? text : text.split(/\s+/).map(x => x[0]).join('').slice(0, 3).toUpperCase()
}

/** @param {string} game @param {number} hue */
const liningOf = (game, hue) => `
  [data-game="${game}"] {
    --felt: oklch(.37 .05 ${hue}); --felt-hi: oklch(.44 .05 ${hue}); --felt-b: oklch(.4 .08 ${hue});
    --accent: oklch(.43 .12 ${hue}); --accent-lo: oklch(.31 .1 ${hue}); --accent-soft: oklch(.93 .03 ${hue}); --tint: oklch(.48 .1 ${hue});
    --weave: repeating-linear-gradient(45deg, rgb(255 255 255 / .13) 0 2px, transparent 2px 9px),
      repeating-linear-gradient(-45deg, rgb(255 255 255 / .13) 0 2px, transparent 2px 9px);
  }
  :root[data-theme="dark"] [data-game="${game}"] {
    --felt: oklch(.25 .035 ${hue}); --felt-hi: oklch(.32 .04 ${hue});
    --accent: oklch(.8 .1 ${hue}); --accent-ink: oklch(.2 .05 ${hue}); --accent-lo: oklch(.56 .1 ${hue}); --accent-soft: oklch(.32 .05 ${hue});
  }`

/** @param {string} game a word @returns {Promise<Partial<Theme>>} */
export async function looksOf(game) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(liningOf(game, numberOf(game) % 360))
  document.adoptedStyleSheets.push(sheet)
  await addStyle('/web/plain.css')
  return { emblem: 'cards', isPlain: true, sign, hue: hueOf }
}
