// @ts-check
/** What is drawn of moves on a field of bricks: ways, odds, the last move, a piece that walks. Loaded when there is one. */
import { C, ballAt, middle, spread } from './board.js'
import { isStill } from './motion.js'
import { html } from './ui.js'
/** @import { Geometry, Point } from './board.js' */

/** The way to a choice: its cells, and what is to be known of it. @param {any} facts @param {number} [action] */
export function wayOf({ ways, trail, far, into }, action) {
  const key = String(action), last = ways?.[key], /** @type {string[]} */ cells = []
  if (last === undefined) return null
  for (let step = trail[last]; step; step = trail[step[1]]) cells.unshift(step[0])
  return { cells, steps: far[key] ?? cells.length - 1, end: into[key] ?? '' }
}

/** @param {Point[]} points */
const line = points => points.map((p, i) => `${i ? 'L' : 'M'}${p.x} ${p.y}`).join('')

/** The points of a way. @param {any} way @param {Geometry} g */
function pointsOf(way, g) {
  const points = way.cells.map((/** @type {string} */ c) => g.mid(c))
  if (!way.end) return points
  const last = points[points.length - 1], r = g.end(Number(way.end.slice(-1)))
  const { x, y } = middle(r)
  return [...points, g.upright ? { x: last.x, y } : { x, y: last.y }]
}

/** The way that is looked at. @param {{way: any, g: Geometry}} props */
export function Way({ way, g }) {
  const d = line(pointsOf(way, g))
  return html`<g aria-hidden="true" class="way"><path class="way-b" d=${d} /><path class="way-f" d=${d} /></g>`
}

/** Where it ends, and how many steps it takes. @param {{way: any, g: Geometry}} props */
export function WayEnd({ way, g }) {
  const points = pointsOf(way, g), { x, y } = points[points.length - 1]
  const bx = Math.min(g.W - 14, x + 16), by = Math.max(14, y - 16)
  return html`
    <g aria-hidden="true" class="way-end">
      <rect x=${x - 18} y=${y - 18} width="36" height="36" rx="4" />
      <circle cx=${bx} cy=${by} r="12.5" /><text x=${bx} y=${by + 0.5}>${way.steps}</text>
    </g>`
}

/**
 * How likely what is aimed at succeeds, beside what it is about.
 * @param {string[]} odds where it stands, what it says large, what small @param {any} facts @param {Geometry} g
 */
export function Odds([id, large, small], facts, g) {
  const places = facts.at?.[id] || (id === 'ball' ? [facts.ball.cell] : []), W = 12 + 8 * Math.max(large.length, small.length * 0.72)
  /** @type {Point & {dx?: number}} */
  const at = places.length ? spread(places, g) : middle(g.end(Number(id.slice(-1))))
  const right = at.x + W / 2 + 24 + Math.abs(at.dx ?? 0), x = right + W / 2 < g.W ? right : 2 * at.x - right, y = Math.min(g.H - 19, Math.max(19, at.y))
  return html`
    <g key=${`odds:${id}`} class="odds" aria-hidden="true" transform=${`translate(${x} ${y})`}>
      <rect x=${-W / 2} y="-18" width=${W} height="36" rx="7" />
      <text class="odds-l" y=${small ? -5 : 1}>${large}</text><text class="odds-s" y="10">${small}</text>
    </g>`
}

/** What the last move was: a ring where it began, a line to where it ended. @param {string[]} cells @param {Geometry} g */
export const Trail = (cells, g) => {
  const points = cells.map(c => g.mid(c))
  return html`
    <g aria-hidden="true" class="trail">
      <path d=${line(points)} /><circle cx=${points[0].x} cy=${points[0].y} r="9" />
    </g>`
}

/** How long a step of a move takes, and all of it at most. */
const STEP = 70, LONGEST = 900

/**
 * A piece that has moved walks along its way; it stands where it is from the first, and what it passed lies there.
 * @param {Element | null} svg @param {{facts: any, g: Geometry}} old @param {any} facts @param {Geometry} g
 */
export function follow(svg, old, facts, g) {
  const { id, cells } = facts.last || {}, from = old.facts.at?.[id], to = facts.at?.[id]
  if (!from || !to || old.g !== g || isStill() || from[0] === to[0] || cells[0] !== from[0] || cells.at(-1) !== to[0]) return
  const wide = to.length > 1, isTaken = facts.ball?.holder === id && old.facts.ball?.cell
  const points = cells.map((/** @type {string} */ c) => (wide ? spread([c, rightOf(c)], g) : g.mid(c)))
  walk(svg?.querySelector(`.figure[data-piece="${id}"]`), points)
  if (facts.ball?.holder !== id || !isTaken && old.facts.ball?.holder !== id) return
  const end = points.at(-1), ball = ballAt(facts, g)
  if (!ball || !end) return
  const off = (/** @type {Point} */ p) => ({ x: p.x + ball.x - end.x, y: p.y + ball.y - end.y })
  // it lies where it lay until it is come to
  const lay = old.facts.ball?.cell, at = lay ? Math.max(0, points.findIndex((/** @type {Point} */ p) => Math.hypot(p.x - g.mid(lay).x, p.y - g.mid(lay).y) < C * 0.6)) : 0
  walk(svg?.querySelector('.ball'), points.map((/** @type {Point} */ p, /** @type {number} */ i) => (i < at ? g.mid(lay) : off(p))))
}

/** The next cell of the row. @param {string} name */
const rightOf = name => String.fromCharCode(name.charCodeAt(0) + 1) + name.slice(1)

/** @param {Element | null | undefined} el @param {Point[]} points */
function walk(el, points) {
  if (!el || points.length < 2) return
  const frames = points.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }))
  el.animate(frames, { duration: Math.min(LONGEST, STEP * (points.length + 3)), easing: 'ease-in-out' })
}
