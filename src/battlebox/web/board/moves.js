// @ts-check
/** What is drawn of moves on a field of bricks: ways, odds, carnage, the last move, a piece that walks; and how arrow keys go on. Loaded when there is one, or time. */
import { C, Disc, ballAt, center, middle, spread } from './board.js'
import { keepInTab } from '../match/keys.js'
import { isStill } from '../match/motion.js'
import { taken } from '../scene.js'
import { addStyle } from '../theme.js'
import { html } from '../ui.js'
/** @import { GridFacts } from '../protocol' */
/** @import { Geometry, Point, Rect } from './board.js' */
/** @import { Piece } from '../types' */
/** @import { Context } from '../match/zones.js' */

await addStyle('/web/board/moves.css')

const BURST = 'M24 3l4.1 9.700 9.400-4.800-3.100 10.100 10.300 2.400-8.900 5.700 6.400 8.400-10.500-1.300-.5 10.500-7.200-7.700' +
  '-7.200 7.700-.5-10.500-10.500 1.300 6.400-8.400-8.900-5.700 10.300-2.400-3.100-10.100 9.400 4.800z'

/** The way to a choice: its cells, and what is to be known of it. @param {GridFacts} facts @param {number} [action] */
export function wayOf({ ways, trail = [], far, into }, action) {
  const key = String(action), last = ways?.[key], /** @type {string[]} */ cells = []
  if (last === undefined) return null
  for (let step = trail[last]; step; step = trail[Number(step[1])]) cells.unshift(String(step[0]))
  return { cells, steps: far?.[key] ?? cells.length - 1, end: into?.[key] ?? '' }
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

/** How much larger than drawn what is to be read must be on a small field. @param {number} scale pixels of a unit */
const enlarged = scale => Math.min(2, Math.max(1, 1 / scale))

/**
 * Something that a mark should not hide. `weight`: how much more so than a figure; `margin`: as much of it, at one edge, is enough to see.
 * @typedef {Rect & {weight?: number, margin?: number}} Room
 */

/** What there is on the field: figures, the ball, names, what can be chosen. @param {GridFacts} facts @param {Rect[]} lit @param {Geometry} g @returns {Room[]} */
const roomsOf = (facts, lit, g) => [
  ...[...Object.values(facts.at || {}).flat(), ...facts.token?.cell ? [facts.token.cell] : []].map(c => around(g.mid(c), C, C)),
  ...(facts.ends || []).map((end, side) => {
    const long = 20 * end.label.length, at = middle(g.end(side))
    return { ...(g.upright ? around(at, long, 26) : around(at, 26, long)), weight: TEXT }
  }),
  ...lit.map(r => ({ ...r, margin: .13 })),
]

/** How large the number of steps is drawn. */
const COUNT = 23

/** How much worse it is to hide a text than a figure. */
const TEXT = 9

/** Where the number of steps stands: beside the end of the way. @param {any} way @param {Room[]} full @param {Geometry} g @param {number} k */
const countAt = (way, full, g, k) => freeBeside(around(pointsOf(way, g).at(-1), C, C), COUNT * k, COUNT * k, full, g)

/** Where it ends, and how many steps it takes. @param {{way: any, facts: GridFacts, lit: Rect[], g: Geometry, scale: number}} props */
export function WayEnd({ way, facts, lit, g, scale }) {
  const at = way.end ? around(pointsOf(way, g).at(-1), C, C) : g.cell(way.cells.at(-1)), k = enlarged(scale)
  const count = countAt(way, roomsOf(facts, lit, g), g, k)
  return html`
    <g aria-hidden="true" class="way-end">
      <rect x=${at.x + 2} y=${at.y + 2} width=${at.w - 4} height=${at.h - 4} rx="4" />
      <g transform=${`translate(${count.x} ${count.y}) scale(${k})`}><circle r=${COUNT / 2} /><text y="0.5">${way.steps}</text></g>
    </g>`
}

/** How much of a room is under something. @param {Room} room @param {Rect} r */
function hiddenOf(room, r) {
  const w = Math.min(room.x + room.w, r.x + r.w) - Math.max(room.x, r.x), h = Math.min(room.y + room.h, r.y + r.h) - Math.max(room.y, r.y)
  const isSeen = w <= 0 || h <= 0 || room.margin && (room.w - w > room.margin * room.w || room.h - h > room.margin * room.h)
  return isSeen ? 0 : (room.weight ?? 1) * w * h
}

/** The room of a figure, or of a mark. @param {Point} at @param {number} w @param {number} h @returns {Rect} */
const around = ({ x, y }, w, h) => ({ x: x - w / 2, y: y - h / 2, w, h })

/**
 * How likely what is aimed at succeeds, beside what it is about: where it hides nothing, if there is such a place.
 * @param {{odds: string[][], facts: GridFacts, lit: Rect[], way: any, g: Geometry, scale: number}} props `odds`: where each stands, what it
 *   says large, what small
 */
export function Odds({ odds, facts, lit, way, g, scale }) {
  const k = enlarged(scale)
  let full = roomsOf(facts, lit, g)
  if (way) {
    full = withMark(full, around(countAt(way, full, g, k), COUNT * k, COUNT * k))
    full.push(around(pointsOf(way, g).at(-1), C, C))
  }
  return odds.map(([id, large, small]) => {
    const w = k * (14 + 10 * large.length + 7 * small.length), h = 22 * k
    const at = freeBeside(anchorOf(id, facts, g), w, h, full, g)
    full = withMark(full, around(at, w, h))
    return html`
      <g key=${`odds:${id}`} class="odds" aria-hidden="true" transform=${`translate(${at.x} ${at.y}) scale(${k})`}>
        <rect x=${-w / k / 2} y="-11" width=${w / k} height="22" rx="7" />
        <text y="0.5"><tspan class="odds-l">${large}</tspan>${small && html`<tspan class="odds-s" dx="5">${small}</tspan>`}</text>
      </g>`
  })
}

/** What else there is with a mark: nothing may lie on it, nor on the rest of what it hides a part of. @param {Room[]} full @param {Rect} mark @returns {Room[]} */
const withMark = (full, mark) => [
  ...full.map(room => (hiddenOf({ ...room, margin: 0 }, mark) ? { ...room, margin: 0 } : room)), { ...mark, weight: TEXT },
]

/** What a mark stands beside: a figure, the token, an end. @param {string} id @param {GridFacts} facts @param {Geometry} g @returns {Rect} */
function anchorOf(id, facts, g) {
  const isEnd = facts.ends?.some(end => end.id === id)
  const places = facts.at[id] || (facts.token?.cell && !isEnd ? [facts.token.cell] : [])
  if (!places.length) return around(middle(g.end(Number(id.slice(-1)))), C, C)
  const { x, y, dx, dy } = spread(places, g)
  return around({ x, y }, 2 * Math.abs(dx) + C, 2 * Math.abs(dy) + C)
}

/**
 * Where a mark stands beside something: the nearest place where it hides nothing, else where it hides least.
 * @param {Rect} r @param {number} w @param {number} h @param {Room[]} full @param {Geometry} g @returns {Point}
 */
function freeBeside(r, w, h, full, g) {
  const places = besides(r, w, h, g)
  let best = places[0], least = Infinity
  for (const at of places) {
    const mark = around(at, w, h), hides = full.reduce((sum, room) => sum + hiddenOf(room, mark), 0)
    if (hides < least) [best, least] = [at, hides]
    if (!least) break
  }
  return best
}

/**
 * Where a mark may stand, the best first: at the right, at the left, above, below, and at the corners; then further off.
 * @param {Rect} r @param {number} w @param {number} h @param {Geometry} g @returns {Point[]}
 */
function besides(r, w, h, g) {
  const { x, y } = middle(r), dx = (r.w + w) / 2 + 4, dy = (r.h + h) / 2 + 4
  const sides = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]], aside = [0, -C / 4, C / 4, -C / 2, C / 2]
  const all = [0, 1, 2, 3, 4, 5, 6, 7].flatMap(far => sides.flatMap(([a, b]) => aside.map(s => ({
    x: x + a * (dx + far * C / 2) + (a ? 0 : s), y: y + b * (dy + far * C / 2) + (a ? s : 0),
  }))))
  const fits = all.filter(p => p.x - w / 2 > 0 && p.x + w / 2 < g.W && p.y - h / 2 > 0 && p.y + h / 2 < g.H)
  return fits.length ? fits : [{ x: Math.min(g.W - w / 2, Math.max(w / 2, x + dx)), y }]
}

/** Where a piece has fallen. @param {string} name @param {Geometry} g */
export const Carnage = (name, g) => {
  const { x, y } = g.mid(name)
  return html`
    <g key=${`mark:${name}`} class="burst" role="img" aria-label=${`Carnage on ${name}`}
      transform=${`translate(${x - 17} ${y - 17}) scale(.71)`}>
      <path d=${BURST} /><path class="burst-x" d="M16 16l16 16M32 16 16 32" />
    </g>`
}

/** Where a choice that is looked at lays pieces that are not on the field. @param {Context} context @returns {[Piece, string[]][]} */
function planOf({ scene, aim, placeOf }) {
  const path = aim?.path || [], at = (/** @type {string} */ id) => path[path.indexOf(id) + 1]
  return scene.zones.flatMap(z => z.pieces).filter(p => path.includes(p.id) && p.kind !== 'cell' && placeOf(p.id) !== at(p.id))
    .map(p => [p, taken(scene, p.id, at(p.id)) || []])
}

/** These pieces, as they would lie there. @param {Context} context @param {Geometry} g */
export const Ghosts = (context, g) => planOf(context).map(([piece, spots]) => html`
  <g class="is-ghost" aria-hidden="true" data-tone=${piece.tone}>${Disc(piece, spots, g)}</g>`)

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
 * @param {Element | null} svg @param {{facts: GridFacts, g: Geometry}} old @param {GridFacts} facts @param {Geometry} g
 */
export function follow(svg, old, facts, g) {
  const { id = '', cells = [] } = facts.last || {}, from = old.facts.at[id], to = facts.at[id]
  if (!from || !to || old.g !== g || isStill() || from[0] === to[0] || cells[0] !== from[0] || cells.at(-1) !== to[0]) return
  const wide = to.length > 1, isTaken = facts.token?.holder === id && old.facts.token?.cell
  const points = cells.map(c => (wide ? spread([c, rightOf(c)], g) : g.mid(c)))
  walk(svg?.querySelector(`.figure[data-piece="${id}"]`), points)
  if (facts.token?.holder !== id || !isTaken && old.facts.token?.holder !== id) return
  const end = points.at(-1), ball = ballAt(facts, g)
  if (!ball || !end) return
  const off = (/** @type {Point} */ p) => ({ x: p.x + ball.x - end.x, y: p.y + ball.y - end.y })
  // it lies where it lay until it is come to
  const lay = old.facts.token?.cell, at = lay ? Math.max(0, points.findIndex(p => Math.hypot(p.x - g.mid(lay).x, p.y - g.mid(lay).y) < C * 0.6)) : 0
  walk(svg?.querySelector('.ball'), points.map((p, i) => (lay && i < at ? g.mid(lay) : off(p))))
}

/** The next cell of the row. @param {string} name */
const rightOf = name => String.fromCharCode(name.charCodeAt(0) + 1) + name.slice(1)

/** Arrows go on to what lies there. @param {KeyboardEvent} e @param {Element} from @param {SVGGElement[]} all */
export function goOn(e, from, all) {
  const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[e.key]
  if (!way) return
  e.preventDefault()
  const next = nearest(from, all, way[0], way[1])
  if (!next) return
  keepInTab(all, next)
  next.focus()
}

/** @param {Element} from @param {SVGGElement[]} all @param {number} dx @param {number} dy */
function nearest(from, all, dx, dy) {
  const a = center(from), lit = all.filter(i => i.matches('.is-lit, .is-aim, .is-picked'))
  let best = null, least = Infinity
  for (const item of lit.length > 1 ? lit : all) {
    const b = center(item), ahead = (b.x - a.x) * dx + (b.y - a.y) * dy
    const aside = Math.abs((b.x - a.x) * dy) + Math.abs((b.y - a.y) * dx)
    if (item === from || ahead < 4) continue
    const far = ahead + 2 * aside
    if (far < least) [best, least] = [item, far]
  }
  return best
}

/** @param {Element | null | undefined} el @param {Point[]} points */
function walk(el, points) {
  if (!el || points.length < 2) return
  const frames = points.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }))
  el.animate(frames, { duration: Math.min(LONGEST, STEP * (points.length + 3)), easing: 'ease-in-out' })
}
