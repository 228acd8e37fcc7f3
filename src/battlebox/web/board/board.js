// @ts-check
/**
 * A field of bricks, and dice, score, bench beside it. Rows count from side 0; an odd row has `cols`
 * cells, an even one half a cell at both ends. Side 0 lies at the left, upright the viewer's own below.
 */
import { Icon } from '../pieces.js'
import { taken } from '../scene.js'
import { addStyle } from '../theme.js'
import { html, useEffect, useLayoutEffect, useLoaded, useMemo, useRef, useState } from '../ui.js'
import { looks } from '../match/zones.js'
/** @import { Context, Props } from '../match/zones.js' */
/** @import { GridFacts } from '../protocol' */
/** @import { Piece, Zone, ZoneOf } from '../types' */

await addStyle('/web/board/board.css')

/** A cell, how near its edge a figure stands, the room beside the side lines. */
export const C = 40, EDGE = 20, SIDE = 14
/** A tap that misses by so many pixels still counts. */
const SNAP = 26
/** @type {Record<string, string>} */
const SHAPES = {
  d4: 'M24 0 48 44H0z',
  d6: 'M9 6h30a3 3 0 0 1 3 3v30a3 3 0 0 1-3 3H9a3 3 0 0 1-3-3V9a3 3 0 0 1 3-3z',
  d8: 'M24 1 46 24 24 47 2 24z',
  d10: 'M24 1 46 21v7L24 47 2 28v-7z',
  d12: 'M24 1 37.5 5.4 45.9 16.9V31.1L37.5 42.6 24 47 10.5 42.6 2.1 31.1V16.9L10.5 5.4z',
  d20: 'M24 1 43.9 12.5V35.5L24 47 4.1 35.5V12.5z',
}
const BALL = 'M4 24C9 12 16 8 24 8s15 4 20 16c-5 12-12 16-20 16S9 36 4 24z'

/** The outline of a die, or of the next smaller one. @param {string} die */
function outline(die) {
  const drawn = Object.keys(SHAPES).filter(name => Number(name.slice(1)) <= Number(die.slice(1)))
  return SHAPES[drawn.at(-1) ?? 'd6']
}

// ---- geometry
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, w: number, h: number}} Rect */

/** @param {{rows: number, cols: number}} size @param {boolean} upright @param {number} home the side at the bottom of an upright field */
function geometry({ rows, cols }, upright, home) {
  const GOAL = (upright ? 1.1 : 1.6) * C, length = rows * C + 2 * GOAL, width = cols * C + 2 * SIDE
  /** A rectangle along and across the field. @returns {Rect} */
  const place = (/** @type {number} */ from, /** @type {number} */ to, left = 0, right = width) => {
    if (!upright) return { x: from, y: left, w: to - from, h: right - left }
    return home
      ? { x: width - right, y: from, w: right - left, h: to - from }
      : { x: left, y: length - to, w: right - left, h: to - from }
  }
  /** Column and row of a cell by its name: "f13". @param {string} name */
  const parse = name => {
    const k = name.charCodeAt(0) - 96, row = Number(name.slice(1))
    return { X: row % 2 ? 2 * k : 2 * k - 1, row }
  }
  const along = (/** @type {number} */ row) => GOAL + (row - 1) * C
  const cell = (/** @type {string} */ name) => {
    const { X, row } = parse(name)
    const left = X < 2 ? 0 : SIDE + (X - 2) * C / 2, right = X > 2 * cols ? width : SIDE + X * C / 2 // half cells cross the line
    return place(along(row), along(row) + C, left, right)
  }
  return {
    upright, W: upright ? width : length, H: upright ? length : width, place, cell,
    /** The middle of a cell, clear of the edge. @param {string} name @returns {Point} */
    mid: (name, edge = EDGE) => {
      const { x, y } = middle(cell(name)), W = upright ? width : length, H = upright ? length : width
      return { x: Math.min(W - edge, Math.max(edge, x)), y: Math.min(H - edge, Math.max(edge, y)) }
    },
    sides: () => [place(GOAL, length - GOAL, SIDE, SIDE), place(GOAL, length - GOAL, width - SIDE, width - SIDE)],
    /** The end zone of a side. @param {number} side */
    end: side => (side ? place(length - GOAL, length) : place(0, GOAL)),
    line: (/** @type {number} */ after) => place(GOAL + after * C, GOAL + after * C),
    names: () => Array.from({ length: rows }, (_, i) => i + 1).flatMap(row => (
      Array.from({ length: cols + 1 - row % 2 }, (_, k) => String.fromCharCode(97 + k) + row)
    )),
  }
}
/** @typedef {ReturnType<typeof geometry>} Geometry */
/** @typedef {typeof import('./moves.js') | null} Moves */

/** @param {Rect} r @returns {Point} */
export const middle = r => ({ x: r.x + r.w / 2, y: r.y + r.h / 2 })

/** Whether the page is held upright, as match.css has it. */
function useTall() {
  const query = useMemo(() => matchMedia('(max-width: 820px) and (min-height: 521px)'), [])
  const [tall, setTall] = useState(query.matches)
  useEffect(() => {
    const changed = () => setTall(query.matches)
    query.addEventListener('change', changed)
    return () => query.removeEventListener('change', changed)
  }, [])
  return tall
}

// ---- the field
/** @param {Props<'grid'>} props */
function Bricks({ zone, context }) {
  const { facts } = zone, tall = useTall()
  const g = useMemo(
    () => geometry({ rows: facts.rows, cols: facts.cols }, tall, facts.home || 0), [facts.rows, facts.cols, tall, facts.home],
  )
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null))
  const ground = useMemo(() => html`<${Ground} zone=${zone} g=${g} />`, [g])
  const moves = useLoaded(() => import('./moves.js'), true, Boolean(facts.last?.cells || facts.trail?.length || facts.blocked?.length || context.aim?.any_order))
  const way = moves?.wayOf(facts, context.aim?.action), odds = facts.odds?.[String(context.aim?.action)]
  const byId = new Map(zone.pieces.map(p => [p.id, p]))
  const cells = zone.pieces.filter(p => p.kind === 'cell'), lit = cells.filter(p => context.stateOf(p.id)).map(p => g.cell(p.code)), benched = context.scene.zones.filter(z => z.kind === 'bench').flatMap(z => z.pieces)
  const laid = benched.filter(p => context.placeOf(p.id)) // only on this page, until that is confirmed
  const at = { ...facts.at, ...Object.fromEntries(laid.map(p => [p.id, taken(context.scene, p.id, context.placeOf(p.id)) || []])) }
  const figures = [...zone.pieces.filter(p => at[p.id]), ...laid], hinted = figures.find(p => p.id === context.hinted)
  // a figure on two cells may stand on what it may choose
  const under = new Set((facts.active || []).flatMap(id => at[id] || []))
  const cellsOf = (/** @type {boolean} */ isUnder) => cells.filter(p => under.has(p.code) === isUnder)
    .map(p => html`<${Cell} key=${p.id} piece=${p} g=${g} context=${context} isUnder=${isUnder} />`)
  const ball = ballAt(facts, g)
  const news = JSON.stringify([facts.active, facts.last, facts.token, context.hinted])
  const scale = useScale(svg, g)
  useWalk(moves, svg, facts, g)
  useTouch(svg)
  useInView(svg, news, tall, zone.pieces.some(p => context.stateOf(p.id) === 'lit'))
  return html`
    <div class="board" data-zone=${zone.id} tabindex=${figures.length ? undefined : 0}>
      <svg class=${'bricks' + (g.upright ? ' is-upright' : '')} viewBox=${`0 0 ${g.W} ${g.H}`} ref=${svg}
        role="group" aria-label=${zone.label} data-rove data-still
        onKeyDown=${(/** @type {KeyboardEvent} */ e) => onKey(e, svg.current, context, moves)}
        onClick=${(/** @type {MouseEvent} */ e) => onTap(e, svg.current, context)}>
        ${ground}
        ${(facts.ends || []).map((end, side) => html`
          <${End} key=${end.id} end=${end} piece=${byId.get(end.id)} rect=${g.end(side)} g=${g} context=${context} />`)}
        ${(facts.blocked || []).map(name => moves?.Carnage(name, g))}
        ${cellsOf(false)}
        ${facts.last?.cells && !way && moves?.Trail(facts.last.cells, g)}
        ${way && moves?.Way({ way, g })}
        ${context.aim?.any_order && moves?.Ghosts(context, g)}
        ${hinted && Beacon(spread(at[hinted.id], g))}
        ${figures.map(p => html`
          <${Figure} key=${p.id} piece=${p} places=${at[p.id]} g=${g} context=${context}
            active=${(facts.active || []).includes(p.id)} />`)}
        ${cellsOf(true)}
        ${ball && Ball(ball)}
        ${way && moves?.WayEnd({ way, facts, lit, g, scale })}
        ${odds && moves?.Odds({ odds, facts, lit, way, g, scale })}
      </svg>
    </div>`
}

/** What never changes. @param {{zone: ZoneOf<'grid'>, g: Geometry}} props */
function Ground({ zone, g }) {
  const { lines = [], mark } = zone.facts
  return html`
    <g aria-hidden="true">
      <rect class="turf" width=${g.W} height=${g.H} />
      ${g.names().map(name => {
        const r = g.cell(name)
        return html`<rect class=${'brick' + (Number(name.slice(1)) % 2 ? '' : ' is-odd')}
          x=${r.x} y=${r.y} width=${r.w} height=${r.h} />`
      })}
      ${lines.filter((/** @type {any} */ l) => l.text).map((/** @type {any} */ l) => Yards(l, g))}
      ${lines.map((/** @type {any} */ l) => {
        const r = g.line(l.after)
        return html`<path class=${'yard' + (l.after % 1 ? ' is-mid' : '')} d=${`M${r.x} ${r.y}l${r.w} ${r.h}`} />`
      })}
      ${g.sides().map(r => html`<path class="sideline" d=${`M${r.x} ${r.y}l${r.w} ${r.h}`} />`)}
      ${mark && Spot(g.cell(mark))}
    </g>`
}

/** @param {{after: number, text: string}} line @param {Geometry} g */
const Yards = (line, g) => {
  const r = g.line(line.after), far = g.upright ? g.W : g.H
  return [0.14, 0.86].map(share => html`
    <text class="yard-n" x=${g.upright ? far * share : r.x} y=${g.upright ? r.y : far * share}
      transform=${!g.upright && share < 0.5 ? `rotate(180 ${r.x} ${far * share})` : undefined}>${line.text}</text>`)
}

/** @param {Rect} r */
const Spot = r => html`<rect class="spot" x=${r.x + 5} y=${r.y + 5} width=${r.w - 10} height=${r.h - 10} rx="3" />`

/** Where the ball is drawn, and how large. @param {GridFacts} facts @param {Geometry} g */
export function ballAt({ token, at }, g) {
  const places = at[token?.holder ?? '']
  if (!places) return token?.cell ? { ...g.mid(token.cell), size: 26 } : null
  const { x, y, dx, dy } = spread(places, g), above = y - Math.abs(dy) - 14
  const right = x + Math.abs(dx) + 15, left = x - Math.abs(dx) - 15
  if (above >= 12) return { x: right > g.W - 12 ? left : right, y: above, size: 24 }
  return left < 12 ? { x: right, y: y - 6, size: 24 } : { x: left, y: y + Math.abs(dy) + 14, size: 24 } // not on the number
}

/** @param {Point & {size: number}} at */
const Ball = ({ x, y, size }) => html`
  <g key="ball" class="ball" aria-hidden="true" style=${{ transform: `translate(${x}px, ${y}px)` }}>
    <g transform=${`scale(${size / 48}) translate(-24 -24)`}>
      <path d=${BALL} /><path class="ball-seam" d="M15 24h18M19 20v8M24 20v8M29 20v8" />
    </g>
  </g>`

/** What can be pressed or looked at. @param {Context} context @param {Piece} piece */
const pressable = (context, piece) => {
  const state = context.stateOf(piece.id), words = context.wordsOf(piece.id)
  return {
    'data-piece': piece.id, 'data-item': true, role: 'button', tabindex: -1,
    'aria-label': words ? `${piece.label}. ${words}` : piece.label,
    'aria-pressed': state && state !== 'idle' ? String(state === 'picked') : undefined,
    ...looks(context, piece.id),
  }
}

/** An end zone. @param {{end: any, piece?: Piece, rect: Rect, g: Geometry, context: Context}} props */
function End({ end, piece, rect, g, context }) {
  const { x, y } = middle(rect), state = piece ? context.stateOf(piece.id) : ''
  const turn = g.upright ? '' : `rotate(${x < g.W / 2 ? -90 : 90} ${x} ${y})`
  return html`
    <g class=${'end' + (state ? ` is-${state}` : '')} data-tone=${end.tone}
      ...${piece && state ? pressable(context, piece) : {}}>
      <rect x=${rect.x} y=${rect.y} width=${rect.w} height=${rect.h} />
      <text x=${x} y=${y} transform=${turn || undefined}>${end.label.toUpperCase()}</text>
    </g>`
}

/** Around the hinted figure, below all others. @param {ReturnType<typeof spread>} at */
const Beacon = ({ x, y, dx, dy }) => html`<circle key="beacon" class="beacon" cx=${x} cy=${y} r=${30 + Math.hypot(dx, dy)} />`

/** A cell that can be chosen. @param {{piece: Piece, g: Geometry, context: Context, isUnder: boolean}} props */
function Cell({ piece, g, context, isUnder }) {
  const r = g.cell(piece.code), mid = middle(r), state = context.stateOf(piece.id)
  const { x, y } = isUnder ? { x: mid.x - 12, y: mid.y - 12 } : mid // beside the letter of who stands there
  if (!state) return null
  return html`
    <g class=${`cell is-${state}${context.hinted === piece.id ? ' is-hinted' : ''}${isUnder ? ' is-under' : ''}`} ...${pressable(context, piece)}>
      ${!isUnder && html`<rect x=${r.x + 1} y=${r.y + 1} width=${r.w - 2} height=${r.h - 2} rx="3" />`}
      ${piece.tone === 'stop' && !isUnder
        ? html`<path class="stop" d=${`M${x} ${y - 9}l9 9-9 9-9-9z`} />`
        : html`<circle class="dot" cx=${x} cy=${y} r=${isUnder ? 4.5 : 3.6} />`}
    </g>`
}

/** A figure on one cell or on two. @param {{piece: Piece, places: string[], g: Geometry, context: Context, active: boolean}} props */
function Figure({ piece, places, g, context, active }) {
  const state = context.stateOf(piece.id), isLaid = Boolean(context.placeOf(piece.id))
  const isDragged = active || isLaid || context.choicesOf(piece.id).length > 0
  const { x, y } = spread(places, g)
  const cls = ['figure', state && `is-${state}`, active && 'is-active', isLaid && 'is-laid', context.hinted === piece.id && 'is-hinted'].filter(Boolean).join(' ')
  return html`
    <g class=${cls} data-tone=${piece.tone} style=${{ transform: `translate(${x}px, ${y}px)` }} ...${pressable(context, piece)}
      onPointerDown=${isDragged && ((/** @type {PointerEvent} */ e) => context.grab(e, piece.id))}>
      <title>${`${piece.name}: ${piece.text}`}</title>
      <g data-lift>
        ${Disc(piece, places, g, true)}
      </g>
    </g>`
}

/** The middle of a figure, and how far its feet are from there. @param {string[]} places @param {Geometry} g */
export function spread(places, g) {
  const mids = places.map(p => g.mid(p)), first = mids[0], last = mids[mids.length - 1]
  const dx = (last.x - first.x) / 2, dy = (last.y - first.y) / 2
  return { mids, dx, dy, x: first.x + dx, y: first.y + dy }
}

/** A figure, around the middle of its cells if `isPlaced`. @param {Piece | undefined} piece @param {string[]} places @param {Geometry} g @param {boolean} [isPlaced] */
export function Disc(piece, places, g, isPlaced = false) {
  if (!piece) return null
  const { mids, dx, dy, x: mx, y: my } = spread(places, g)
  return html`
    <g transform=${isPlaced ? undefined : `translate(${mx} ${my})`} class="disc">
      <rect class="halo" x=${-Math.abs(dx) - 22} y=${-Math.abs(dy) - 22} width=${2 * Math.abs(dx) + 44}
        height=${2 * Math.abs(dy) + 44} rx="22" />
      <rect class="rim" x=${-Math.abs(dx) - 18} y=${-Math.abs(dy) - 18} width=${2 * Math.abs(dx) + 36}
        height=${2 * Math.abs(dy) + 36} rx="18" />
      ${mids.map(({ x, y }) => html`
        <path class="shape" transform=${`translate(${x - mx - 13} ${y - my - 13}) scale(.542)`} d=${outline(piece.value)} />`)}
      ${mids.map(({ x, y }, i) => html`
        <g transform=${`translate(${x - mx} ${y - my})`}>
          <text class="letter" y="1">${piece.code[0]?.toUpperCase()}</text>
          ${i === mids.length - 1 && html`<text class="number" x="12" y="13">${piece.code.slice(1)}</text>`}
        </g>`)}
    </g>`
}

// ---- hands
/** A piece that has moved walks along its way. @param {Moves} moves @param {{current: Element | null}} svg @param {GridFacts} facts @param {Geometry} g */
function useWalk(moves, svg, facts, g) {
  const before = useRef(/** @type {{facts: GridFacts, g: Geometry} | null} */ (null))
  useLayoutEffect(() => {
    if (before.current) moves?.follow(svg.current, before.current, facts, g)
    before.current = { facts, g }
  }, [facts])
}

/** Pixels to a unit of the drawing. @param {{current: SVGSVGElement | null}} svg @param {Geometry} g */
function useScale(svg, g) {
  const [scale, setScale] = useState(1)
  useEffect(() => {
    const watching = new ResizeObserver(() => setScale(svg.current?.getScreenCTM()?.a || 1))
    if (svg.current) watching.observe(svg.current)
    return () => watching.disconnect()
  }, [g])
  return scale
}

/** How much it counts to see what. */
const WEIGHTS = { '.is-hinted': 1000, '.figure.is-active': 500, '.ball': 200, '.cell.is-lit:has(.stop)': 20, '.figure.is-lit': 10, '.cell.is-lit, .end.is-lit': 1 }

/** Brings into view as much as can be of what is asked about, or moved. @param {{current: Element | null}} svg @param {string} news @param {boolean} tall @param {boolean} waits */
function useInView(svg, news, tall, waits) {
  useLayoutEffect(() => { // before it is drawn: nothing moves away under a finger
    const field = svg.current?.parentElement
    if (!tall || !field) return
    const { top, bottom } = field.getBoundingClientRect()
    const wanted = Object.entries({ ...WEIGHTS, '.trail': waits ? 0 : 900 }).flatMap(([kind, weight]) =>
      [...svg.current?.querySelectorAll(kind) || []].map(el => ({ weight, at: el.getBoundingClientRect() })))
    const seen = (/** @type {number} */ by) => wanted.reduce((sum, { weight, at }) => sum + (at.top >= top + by && at.bottom <= bottom + by ? weight : 0), 0)
    const least = -field.scrollTop, most = field.scrollHeight - field.clientHeight - field.scrollTop
    const ways = wanted.flatMap(({ at }) => [at.top - top - 6, at.bottom - bottom + 6])
    const by = ways.map(x => Math.max(least, Math.min(most, x))).reduce((best, x) => (seen(x) > seen(best) ? x : best), 0)
    if (by) field.scrollBy(0, by)
  }, [news, tall, waits])
}

/** A finger that drags a piece does not scroll; a drawing knows no `touch-action`. @param {{current: Element | null}} svg */
function useTouch(svg) {
  useEffect(() => {
    const field = svg.current
    const keep = (/** @type {Event} */ e) => {
      if (e.target instanceof Element && e.target.closest('.is-active, .is-picked, .is-laid')) e.preventDefault()
    }
    field?.addEventListener('touchmove', keep, { passive: false })
    return () => field?.removeEventListener('touchmove', keep)
  }, [])
}

/** @param {Element | null} svg @returns {SVGGElement[]} */
const items = svg => /** @type {SVGGElement[]} */ ([...(svg?.querySelectorAll('[data-item]') || [])])

/** Arrows go on, Enter and Space press. @param {KeyboardEvent} e @param {Element | null} svg @param {Context} context @param {Moves} moves */
function onKey(e, svg, context, moves) {
  const from = e.target instanceof Element ? e.target.closest('[data-item]') : null
  if (!from || e.ctrlKey || e.metaKey || e.altKey) return
  if (e.key === 'Enter' || e.key === ' ') {
    e.preventDefault()
    if (!e.repeat) context.press(from.getAttribute('data-piece') || '')
  } else moves?.goOn(e, from, items(svg))
}

/** @param {Element} el */
export const center = el => {
  const r = (el.querySelector('rect') || el).getBoundingClientRect()
  return { x: r.x + r.width / 2, y: r.y + r.height / 2 }
}

/** A tap: on what can be chosen, or nearly. @param {MouseEvent} e @param {Element | null} svg @param {Context} context */
function onTap(e, svg, context) {
  const hit = e.target instanceof Element ? e.target.closest('[data-item]') : null
  const canBe = (/** @type {Element} */ x) => x.matches('.is-lit, .is-aim, .is-picked')
  const found = hit && canBe(hit) ? hit : closest(e, items(svg).filter(canBe)) || hit
  // a mouse has shown the way and the odds before it clicks
  if (found) context.press(found.getAttribute('data-piece') || '', found.matches('.cell, .end') && /** @type {PointerEvent} */ (e).pointerType === 'mouse')
}

/** @param {MouseEvent} e @param {SVGGElement[]} all */
function closest(e, all) {
  const near = all.map(el => {
    const { x, y } = center(el)
    return { el, far: Math.hypot(x - e.clientX, y - e.clientY) }
  }).sort((a, b) => a.far - b.far)[0]
  return near && near.far <= SNAP ? near.el : null
}

// ---- beside the field
/** A die. @param {{piece: Piece, out: boolean}} props `out`: it lost, or does not count */
const Die = ({ piece, out }) => html`
  <span class=${'die' + (out ? ' is-beaten' : '')} role="img" aria-label=${piece.label} title=${piece.label} data-tone=${piece.tone}>
    <svg viewBox="0 0 48 48" aria-hidden="true"><path d=${outline(piece.code)} /></svg>
    <b aria-hidden="true">${piece.value}</b><small aria-hidden="true">${piece.name.split(' ').at(-1)}</small>
  </span>`

/** @param {Props<'dice'>} props */
const Dice = ({ zone }) => html`
  <div class="dice" role="group" aria-label=${zone.label} data-zone=${zone.id}>
    <span class="dice-row">
      ${zone.pieces.map(p => html`<${Die} key=${p.id + p.name + p.value} piece=${p} out=${(zone.facts.beaten || []).includes(p.id)} />`)}
    </span>
    <span class="dice-say">${zone.facts.text}</span>
  </div>`

/** @param {Props<'score'>} props */
const Score = ({ zone }) => {
  const { sides, text } = zone.facts
  const says = sides.map(s => `${s.name} ${s.points}`).join(', ')
  return html`
    <div class="score" role="img" aria-label=${`${zone.label}: ${says}. ${text}`} data-zone=${zone.id}>
      ${sides.map(s => html`<b data-tone=${s.tone}>${s.points}</b>`)}
      <small>${text}</small>
    </div>`
}

/** @param {Props<'bench'>} props */
function Bench({ zone, context }) {
  const pieces = zone.pieces.filter(p => !context.placeOf(p.id))
  if (!pieces.length) return null
  /** @type {string[]} */
  const gone = zone.facts.out || [], hurt = zone.facts.hurt || []
  const rooms = [
    { name: '', list: pieces.filter(p => !gone.includes(p.id) && !hurt.includes(p.id)) },
    { name: zone.facts.rooms?.[0], list: pieces.filter(p => hurt.includes(p.id)) },
    { name: zone.facts.rooms?.[1], list: pieces.filter(p => gone.includes(p.id)), out: true },
  ]
  return html`
    <div class="bench" role="group" aria-label=${zone.label} data-zone=${zone.id} data-rove>
      ${rooms.filter(r => r.list.length).map(({ name, list, out = false }) => html`
        <span class="room" key=${name}>
          ${name && html`<small aria-hidden="true">${name}</small>`}
          ${list.map(piece => html`<${OnBench} key=${piece.id} piece=${piece} context=${context} out=${out} />`)}
        </span>`)}
    </div>`
}

/** A figure beside the field. @param {Piece} piece */
export const Pawn = piece => html`
  <svg viewBox="-22 -22 44 44" class="bricks" aria-hidden="true">
    <g class="figure" data-tone=${piece.tone}>
      <circle class="rim" r="18" />
      <path class="shape" transform="translate(-13 -13) scale(.542)" d=${outline(piece.value)} />
      <text class="letter" y="1">${piece.code[0]?.toUpperCase()}</text>
    </g>
  </svg>`

/** @param {{piece: Piece, context: Context, out: boolean}} props `out`: for good */
function OnBench({ piece, context, out }) {
  const state = context.stateOf(piece.id), words = context.wordsOf(piece.id)
  return html`
    <button type="button" class=${'on-bench' + (state ? ` is-${state}` : '')} data-piece=${piece.id} data-item
      aria-label=${words ? `${piece.label}. ${words}` : piece.label}
      aria-pressed=${state ? String(state === 'picked') : undefined}
      onClick=${() => context.press(piece.id)}
      onPointerDown=${(/** @type {PointerEvent} */ e) => context.grab(e, piece.id)}
      ...${looks(context, piece.id)}>
      ${Pawn(piece)}
      ${out && html`<span class="bench-mark">${Icon('cross')}</span>`}
    </button>`
}

/** @type {Record<string, (props: Props<any>) => any>} */
export const KINDS = { grid: Bricks, dice: Dice, score: Score, bench: Bench }

// ---- the whole table
/** Both sides above, the board below. @param {{zones: Zone[], view: (zone: Zone) => any}} props */
export function BoardTable({ zones, view }) {
  const of = (/** @type {string} */ kind) => zones.filter(z => z.kind === kind)
  const side = (/** @type {Zone} */ plaque) => html`
    <div class="side">${view(plaque)}${of('bench').filter(z => z.owner === plaque.owner).map(view)}</div>`
  const [first, ...others] = of('plaque')
  const known = ['plaque', 'bench', 'grid', 'score', 'dice']
  return html`
    <div class="scene has-board">
      <section class="board-head" aria-label="Teams and score">
        ${first && side(first)}
        <div class="between">${of('score').map(view)}${of('dice').map(view)}</div>
        ${others.map(side)}
      </section>
      ${of('grid').map(view)}
      ${zones.filter(z => !known.includes(z.kind)).map(view)}
    </div>`
}
