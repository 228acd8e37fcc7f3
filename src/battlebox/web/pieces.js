// @ts-check
/** The pieces of the box as pure functions of their properties: no rule, no state. */
import { to } from './place.js'
import { html } from './ui.js'
/** @import { Piece, Theme } from './types' */

const LETTERS = 'abcdefghij'

/** Brings the pictograms into the page once, so that icons drawn later need no network. */
async function addSprite() {
  const text = await (await fetch(to('/web/sprite.svg'))).text()
  const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  svg.setAttribute('class', 'sprite')
  svg.setAttribute('aria-hidden', 'true')
  document.body.append(svg)
}
addSprite().catch(() => {}) // without them everything is still said in words

/** @param {string} name @param {string} [cls] */
export const Icon = (name, cls = '') => html`
  <svg class=${'ico ' + cls} viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    <use href=${`#i-${name}`}></use>
  </svg>`

/** A seat's mark: colour, shape and letter, so that none of the three is needed. @param {number} seat */
export const SeatMark = (seat, cls = '') => {
  const letter = LETTERS[seat] || 'j'
  return html`
    <span class=${'seat ' + cls} data-seat=${letter} aria-hidden="true">
      <svg class="ico" viewBox="0 0 48 48"><use href=${`#s-${letter}`}></use></svg>
      <b>${letter.toUpperCase()}</b>
    </span>`
}

/** @param {string} text @param {{icon?: string, tone?: string}} [looks] */
export const Chip = (text, { icon, tone } = {}) => html`
  <span class="chip" data-tone=${tone} title=${text}>${icon && Icon(icon)}<span>${text}</span></span>`

/** The face of a card. @param {Piece} piece @param {Theme} theme */
const face = (piece, theme) => {
  const icon = theme.icon(piece), sign = icon ? '' : theme.sign?.(piece), unit = theme.unit?.(piece), name = piece.name || piece.label
  const longest = Math.max(...name.split(/\s/).map(word => Math.ceil(word.length * (word.includes('-') ? .75 : 1)))) // breaks there
  return html`
    <span class="card-face" aria-hidden="true">
      <span class="card-corner"><b>${piece.value || sign}</b>${icon && Icon(icon)}</span>
      <span class="card-art">${icon ? Icon(icon) : sign && html`<i>${sign}</i>`}</span>
      ${piece.value && !sign && html`<span class="card-value">${piece.value}${unit && Icon(unit)}</span>`}
      <span class="card-name" style=${`--word: ${longest}`}>${name}</span>
      ${piece.text && html`<span class="card-effect">${piece.text}</span>`}
    </span>`
}

/** The key that picks what it lies on. @param {string} key */
export const KeyMark = key => key && html`<kbd class="key-mark" aria-hidden="true">${key}</kbd>`

/** The kinds of cards whose face one sees. */
const FACES = ['card', 'peek', 'lost']

/**
 * A piece: card, back, or something else that a game has. `as` "button" where it can be pressed; `would`: what that leads to;
 * `mark`: the key that picks it.
 * @param {{piece: Piece, theme: Theme, state?: string, as?: 'button' | 'div', label?: string, would?: string, mark?: string,
 *   [more: string]: any}} props
 */
export const PieceView = ({ piece, theme, state = '', as = 'div', label, would, mark = '', ...more }) => {
  const hasFace = FACES.includes(piece.kind), isCard = hasFace || piece.kind === 'back'
  const cls = [
    isCard ? 'card' : 'token', piece.kind !== 'card' && isCard && `is-${piece.kind}`, state && `is-${state}`,
    !piece.value && 'no-value', theme.isPlain && 'is-plain',
  ].filter(Boolean).join(' ')
  const inner = html`
    ${piece.kind === 'back' && Back(theme)}
    ${hasFace && face(piece, theme)}
    ${!isCard && html`<span aria-hidden="true">${piece.value || piece.name || piece.label}</span>`}
    ${would && isCard && html`<span class="would" aria-hidden="true">${would}</span>`}
    ${KeyMark(mark)}
    ${piece.count > 1 && html`<b class="badge" aria-hidden="true">${piece.count}×</b>`}`
  const same = {
    class: cls, 'data-tone': piece.tone || undefined, 'data-piece': piece.id, 'data-code': piece.code,
    'data-count': piece.count, style: theme.paint?.(piece), ...more,
  }
  return as === 'button'
    ? html`<button type="button" ...${same}><span class="vh">${label || piece.label}</span>${inner}</button>`
    : html`<div role="img" aria-label=${label || piece.label} ...${same}>${inner}</div>`
}

/** The inside of a face-down card. @param {Theme} theme */
const Back = theme => html`<span class="card-back" aria-hidden="true">${Icon(theme.emblem)}</span>`

/** A card face down that is no piece of its own, as on a deck. @param {Theme} theme */
export const FaceDown = theme => html`<div class="card is-back" aria-hidden="true">${Back(theme)}</div>`

/** How many cards somebody holds. @param {number} hand */
export const MiniHand = hand => html`
  <span class="minihand" aria-hidden="true">
    ${Array.from({ length: Math.min(hand, 5) }, () => html`<i></i>`)}<b>${hand}</b>
  </span>`

// ---- dial ---------------------------------------------------------------------------------------
const START = 0.75 * Math.PI, SWEEP = 1.5 * Math.PI

/** A point of the dial at a share of its sweep. @param {number} share @param {number} r */
const point = (share, r) => {
  const angle = START + SWEEP * share
  return `${(50 + r * Math.cos(angle)).toFixed(2)} ${(50 + r * Math.sin(angle)).toFixed(2)}`
}

/** @param {number} from @param {number} to */
const arc = (from, to) => `M${point(from, 40)}A40 40 0 ${(to - from) * 270 > 180 ? 1 : 0} 1 ${point(to, 40)}`

/** @param {number} max */
const ticks = max => {
  const step = Math.max(1, Math.ceil(max / 25)), out = []
  for (let i = 0; i <= max; i += step) {
    out.push(`M${point(i / max, i % (5 * step) ? 46 : 44)}L${point(i / max, 49)}`)
  }
  return out.join('')
}

/**
 * Points as a ring. `ghost`: what they will be after the choice that is looked at.
 * @param {{value: number, max: number, ghost?: number, name: string, sign?: string}} props
 */
export const Dial = ({ value, max, ghost, name, sign }) => {
  const most = Math.max(1, max), share = Math.min(1, value / most)
  const next = ghost === undefined ? share : Math.max(0, Math.min(1, ghost / most))
  const says = `${value} ${name}` + (ghost === undefined || ghost === value ? '' : `, then ${ghost}`)
  return html`
    <span class=${'dial' + (value <= most / 4 ? ' is-low' : '')} role="img" aria-label=${says}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <path class="dial-well" d=${arc(0, 1)}></path>
        ${share > 0 && html`<path class="dial-arc" d=${arc(0, Math.min(share, next))}></path>`}
        ${next > share && html`<path class="dial-ghost" d=${arc(share, next)}></path>`}
        ${next < share && html`<path class="dial-ghost" d=${arc(next, share)}></path>`}
        <path class="dial-ticks" d=${ticks(most)}></path>
      </svg>
      <b aria-hidden="true">${value}</b>${sign && Icon(sign, 'dial-sign')}
    </span>`
}

/** More points than this are a number. */
const MOST_PIPS = 7

/**
 * Points as pips, as many as win. `name`: what they are, "of 5 points".
 * @param {{value: number, goal: number, name: string}} props
 */
export const Pips = ({ value, goal, name }) => html`
  <span class="pips" role="img" aria-label=${`${value} ${name}`}>
    ${goal > MOST_PIPS ? html`<b aria-hidden="true">${value}/${goal}</b>`
    : Array.from({ length: goal }, (_, i) => html`<i class=${i < value ? 'is-on' : ''}></i>`)}
  </span>`

/**
 * Points as a pawn on a track of numbered cards, the last of which is the goal. `name`: what they are, "of 5 cards".
 * @param {{stations: number[], at: number, seat: number, name: string}} props
 */
export const Track = ({ stations, at, seat, name }) => {
  const goal = stations[stations.length - 1]
  return html`
    <span class="track" role="img" aria-label=${`${at} ${name}`}>
      ${stations.map(n => html`
        <span key=${n} class=${'station' + (n === goal ? ' is-goal' : '') + (n < at ? ' is-past' : '')}>
          <b>${n}</b>
          ${n === goal && n !== at && Icon('trophy')}
          ${n === at && html`
            <span class="pawn" data-seat=${LETTERS[seat]} data-piece=${`pawn:${seat}`}>
              ${Icon(`pawn_${LETTERS[seat]}`)}
            </span>`}
        </span>`)}
    </span>`
}

/**
 * A button of the prompt.
 * @param {{text: string, sub?: string, tone?: string, hint?: string, icon?: string,
 *   [more: string]: any}} props
 */
export const ChoiceButton = ({ text, sub, tone = 'plain', hint, icon, ...more }) => html`
  <button type="button" ...${more} class=${`choice is-${tone} ${more.class || ''}`}>
    ${icon && Icon(icon)}<span>${text}${sub && html`<small>${sub}</small>`}</span>
    ${hint && html`<kbd aria-hidden="true">${hint}</kbd>`}
  </button>`
