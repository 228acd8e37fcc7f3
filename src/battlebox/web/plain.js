// @ts-check
/** How a game looks that has no looks of its own: a hue for the game, one for each kind of piece, names instead of pictures. */
/** @import { Piece, Theme } from './types' */

/** Degrees between the hues of numbers that follow each other: none come close to each other soon. */
const GOLDEN = 137.5
const HUES = 12
/** The hues of suits, as in packs of four colours. */
const SUITS = { '♣': 150, '♦': 240, '♥': 25, '♠': 285 }
/** What is printed under it all, so that one can tell kinds of the same hue apart. */
const PATTERNS = [
  'radial-gradient(circle at 50% 42%, rgb(255 255 255 / .22), transparent 62%)',
  'repeating-linear-gradient(115deg, rgb(255 255 255 / .11) 0 6px, transparent 6px 14px)',
  'radial-gradient(circle at 50% 50%, rgb(255 255 255 / .16) 0 2px, transparent 2.5px) 0 0 / 11px 11px',
  'repeating-linear-gradient(0deg, rgb(255 255 255 / .1) 0 3px, transparent 3px 10px)',
]

/** A number from a text, the same everywhere. @param {string} text */
const numberOf = text => {
  let n = 2166136261
  for (const c of text) n = Math.imul(n ^ c.charCodeAt(0), 16777619) >>> 0
  n = Math.imul(n ^ (n >>> 15), 2246822519) >>> 0
  return (n ^ (n >>> 13)) >>> 0
}

/** The colours of a piece, by its kind. @param {Pick<Piece, 'name' | 'tone'> & Partial<Piece>} piece */
const paint = ({ value, code, name, label, tone }) => {
  const suit = SUITS[/** @type {keyof SUITS} */ (name?.at(-1))]
  if (suit !== undefined) return { '--kind': suit, '--kp': PATTERNS[0] }
  const n = numberOf(code || name || label || tone), step = 360 / HUES
  const hue = value && Number.isFinite(Number(value)) ? Math.round(28 + GOLDEN * Number(value)) % 360 : (n % HUES) * step
  return { '--kind': hue, '--kp': PATTERNS[(n >>> 8) % PATTERNS.length] }
}

/** What stands large on a piece: a number, a short name, or the first letter of each word. @param {Piece} piece */
const sign = ({ value, name, label }) => {
  const text = value || name || label
  return text.length < 3 || (text.length < 4 && /\P{L}/u.test(text)) ? text : text.split(/\s+/).map(x => x[0]).join('').slice(0, 3).toUpperCase()
}

/** Without weight: a theme's own sheet comes before it. @param {string} game @param {number} hue */
const liningOf = (game, hue) => `
  :where([data-game="${game}"]) {
    --felt: oklch(.37 .05 ${hue}); --felt-hi: oklch(.44 .05 ${hue}); --felt-b: oklch(.4 .08 ${hue});
    --accent: oklch(.43 .12 ${hue}); --accent-lo: oklch(.31 .1 ${hue}); --accent-soft: oklch(.93 .03 ${hue}); --tint: oklch(.48 .1 ${hue});
    --weave: repeating-linear-gradient(45deg, rgb(255 255 255 / .13) 0 2px, transparent 2px 9px),
      repeating-linear-gradient(-45deg, rgb(255 255 255 / .13) 0 2px, transparent 2px 9px);
  }
  :where(:root[data-theme="dark"] [data-game="${game}"]) {
    --felt: oklch(.25 .035 ${hue}); --felt-hi: oklch(.32 .04 ${hue});
    --accent: oklch(.8 .1 ${hue}); --accent-ink: oklch(.2 .05 ${hue}); --accent-lo: oklch(.56 .1 ${hue}); --accent-soft: oklch(.32 .05 ${hue});
  }`

/** @param {string} game a word @returns {Partial<Theme>} */
export function looksOf(game) {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(liningOf(game, numberOf(game) % 360))
  document.adoptedStyleSheets.push(sheet)
  return { emblem: 'cards', css: ['/web/plain.css'], isPlain: true, sign, paint }
}
