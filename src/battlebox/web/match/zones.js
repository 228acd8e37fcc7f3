// @ts-check
/**
 * How each kind of zone is drawn. A kind that is not known here shows its label, words and pieces, so
 * that a new game can be played before anybody has drawn it.
 */
import { Chip, Dial, FaceDown, KeyMark, MiniHand, PieceView, Pips, SeatMark, Track } from '../pieces.js'
import { inShort } from './picking.js'
import { seatName, seatNote } from '../seats.js'
import { addStyle } from '../theme.js'
import { html, useEffect, useState } from '../ui.js'
/** @import { RoomMessage } from '../protocol' */
/** @import { Choice, Piece, Scene, Theme, Zone, ZoneOf } from '../types' */

await addStyle('/web/match/match.css')

/**
 * What zones need to know of the page.
 * @typedef {{
 *   theme: Theme, room: RoomMessage, scene: Scene,
 *   stateOf: (id: string) => '' | 'lit' | 'aim' | 'picked' | 'idle',
 *   wordsOf: (id: string) => string,
 *   keyOf: (id: string) => string,
 *   press: (id: string, isSeen?: boolean) => void,
 *   look: (id: string | null) => void,
 *   grab: (e: PointerEvent, id: string) => void,
 *   ghostOf: (id: string) => number | undefined,
 *   placeOf: (id: string) => string | undefined,
 *   wouldOf: (id: string) => string,
 *   deltaOf: (id: string) => number | undefined,
 *   choicesOf: (id: string) => Choice[],
 *   aim: Choice | null,
 *   hinted?: string,
 *   live: boolean,
 *   invite?: () => void,
 *   hold?: (on: boolean) => void,
 *   n: number,
 * }} Context
 */
/** @template {string} [K=string] @typedef {{zone: ZoneOf<K>, context: Context}} Props */

/** @param {number} n */
const cards = n => (n === 1 ? '1 card' : `${n} cards`)

/**
 * What a zone or piece does when it is looked at, by mouse or keyboard. A finger looks at nothing before
 * it presses: what is then said would move the page under it.
 * @param {Context} context @param {string} id
 */
export const looks = (context, id) => ({
  onPointerEnter: (/** @type {PointerEvent} */ e) => { if (e.pointerType !== 'touch') context.look(id) },
  onPointerLeave: (/** @type {PointerEvent} */ e) => { if (e.pointerType !== 'touch') context.look(null) },
  onFocus: (/** @type {FocusEvent} */ e) => {
    if (e.currentTarget instanceof Element && e.currentTarget.matches(':focus-visible')) context.look(id)
  },
  onBlur: () => context.look(null),
})

/**
 * The button over a zone that can be chosen or asked about as a whole.
 * @param {Props & {says: string}} props
 */
const Hit = ({ zone, context, says }) => {
  const state = context.stateOf(zone.id), words = context.wordsOf(zone.id)
  return html`
    <button type="button" class="hit" data-item aria-label=${words ? `${says.replace(/\.$/, '')}. ${words}` : says}
      aria-pressed=${state === 'picked' ? 'true' : undefined}
      onClick=${() => context.press(zone.id)} ...${looks(context, zone.id)}>${KeyMark(context.keyOf(zone.id))}</button>`
}

/** The crest of a side, or else the mark of a seat. @param {Theme} theme @param {number} seat */
export const Badge = (theme, seat, cls = '') => {
  const [tone, d] = Object.entries(theme.marks || {})[seat] || []
  return d ? html`
    <span class=${'crest ' + cls} data-tone=${tone} aria-hidden="true"><svg viewBox="0 0 48 48"><path d=${d} /></svg></span>`
  : SeatMark(seat, cls)
}

/** A seat. @param {Props<'plaque'>} props */
function Plaque({ zone, context }) {
  const { facts, owner } = zone, { room, theme } = context, seat = owner ?? 0
  const state = context.stateOf(zone.id), name = seatName(room, seat), delta = context.deltaOf(zone.id)
  const cls = [
    'plaque', facts.acting && 'is-acting', facts.out && 'is-out', state && `is-${state}`,
  ].filter(Boolean).join(' ')
  const shows = (/** @type {string} */ chip) => zone.pieces.some(p => p.name.toLowerCase() === chip)
  const chips = (facts.chips || []).filter((/** @type {string} */ c) => !shows(c))
  if (Number(facts.points) > Number(facts.points_of)) chips.push(`above ${facts.points_of}`)
  const note = seatNote(room, seat), isOpen = note === 'open seat', more = [facts.team, note, facts.text].filter(Boolean).join(', ')
  const isWaitedFor = facts.acting && !facts.you && !isOpen && !context.scene.over
  const invited = isOpen && context.invite && room.invitations[seat]
  const can = Boolean(state) && state !== 'idle'
  return html`
    <div class=${cls} data-zone=${zone.id} data-plaque=${seat} data-tone=${facts.tone} data-tag=${can ? 'target' : undefined}
      role="group" aria-label=${facts.you ? `${name}, you` : name}>
      <span class="plaque-head">
        ${Badge(theme, seat)}
        <span class="plaque-name">
          <b title=${name}>${name}</b>
          <small title=${more}>${more}</small>
        </span>
      </span>
      ${facts.stations ? html`
        <${Track} stations=${facts.stations} at=${facts.points} seat=${seat} name=${facts.points_name} />`
      : facts.goal ? html`<${Pips} value=${facts.points} goal=${facts.goal} name=${facts.points_name} />`
      : facts.points !== undefined && facts.points_of === undefined ? html`
        <span class="points"><b>${facts.points}</b><small> ${facts.points_name || 'points'}</small></span>`
      : facts.points !== undefined && html`
        <${Dial} value=${facts.points} max=${facts.points_of} ghost=${context.ghostOf(zone.id)}
          name=${facts.points_name || 'points'} sign=${theme.points} />`}
      ${delta !== undefined && html`
        <b class=${'delta' + (delta < 0 ? ' is-loss' : '')} key=${`delta${context.n}`} aria-hidden="true">
          ${delta < 0 ? `−${-delta}` : `+${delta}`}
        </b>`}
      ${zone.pieces.map(piece => KINDS.suspicion ? html`<${KINDS.suspicion} key=${piece.id} piece=${piece} seat=${seat} context=${context} />`
      : html`<${PieceView} key=${piece.id} piece=${piece} theme=${theme} />`)}
      <span class="plaque-foot">
        ${facts.hand !== undefined && html`
          ${MiniHand(facts.hand)}<span class="vh">${cards(facts.hand)}</span>`}
        <span class="chips">
          ${isWaitedFor && (note === 'away' || !chips.length) && html`
            <span class="thinking">${Chip(note === 'away' ? 'away' : 'to move', { icon: 'clock' })}</span>`}
          ${room.seats[seat]?.replaced && Chip('a bot plays', { icon: 'clock' })}
          ${isOpen && invited && Chip('invite', { icon: 'link', tone: 'accent' })}
          ${isOpen && !invited && Chip('open', { icon: 'person' })}
          ${chips.map((/** @type {string} */ c) => Chip(c, theme.chips?.[c]))}
        </span>
      </span>
      ${invited && html`
        <button type="button" class="hit" aria-label=${`${name} is open: invite someone`}
          onClick=${context.invite}></button>`}
      ${!invited && (can || facts.notes?.length || context.wordsOf(zone.id)) && html`<${Hit} zone=${zone} context=${context} says=${name} />`}
    </div>`
}

/** A hand: every piece can be pressed; what cannot be chosen now says why. @param {Props<'fan'>} props */
function Fan({ zone, context }) {
  const n = zone.pieces.length, { facts } = zone
  return html`
    <div class="fan mine" role="group" aria-label=${zone.label} data-zone=${zone.id} data-rove
      data-owner=${zone.owner ?? undefined}
      style=${{ '--n': n }}>
      ${zone.pieces.map((piece, i) => html`
        <div key=${piece.id} class=${'fan-slot' + (piece.count > 1 ? ' is-many' : '')}
          style=${{ '--i': i, '--n': n }}>
          ${context.placeOf(piece.id) ? html`<div class="card is-empty" aria-hidden="true"></div>` : html`
            <${InHand} piece=${piece} context=${context} />`}
        </div>`)}
      ${!n && html`<p class="felt-note">No cards.</p>`}
      ${facts.goal && html`<p class="goal"><b>${facts.you}</b> ${facts.goal}</p>`}
    </div>`
}

/** @param {{piece: Piece, context: Context, [more: string]: any}} props */
export function InHand({ piece, context, ...more }) {
  const state = context.stateOf(piece.id), words = context.wordsOf(piece.id), can = state && state !== 'idle'
  return html`
    <${PieceView} as="button" piece=${piece} theme=${context.theme} state=${state} mark=${context.keyOf(piece.id)} would=${can && context.wouldOf(piece.id)} data-item
      label=${words ? `${piece.label}. ${words}` : piece.label}
      aria-pressed=${can ? String(state === 'picked') : undefined}
      aria-disabled=${state === 'idle' ? 'true' : undefined}
      onClick=${() => context.press(piece.id)}
      onPointerDown=${(/** @type {PointerEvent} */ e) => context.grab(e, piece.id)}
      ...${looks(context, piece.id)} ...${more} />`
}

/** A pile: its top or its back, and how many there are. @param {Props<'pile'>} props */
function Pile({ zone, context }) {
  const { facts, pieces } = zone, count = facts.count ?? pieces.length, state = context.stateOf(zone.id)
  const isDown = facts.face === 'down', top = pieces[pieces.length - 1]
  const card = top
    ? html`<${PieceView} key=${top.id + top.code} piece=${top} theme=${context.theme} aria-hidden="true" />`
    : isDown && count ? FaceDown(context.theme)
    : html`<div class=${'card ' + (count ? 'is-blank' : 'is-empty')} aria-hidden="true"></div>`
  const says = `${zone.label}, ${cards(count)}`
  return html`
    <div class=${'pile' + (state ? ` is-${state}` : '')} data-thick=${Math.min(3, Math.ceil(count / 14))}
      data-zone=${zone.id} data-closed=${isDown ? count : undefined} data-owner=${zone.owner ?? undefined}>
      <div class="pile-stack">${card}<b class="badge" aria-hidden="true">${count}</b></div>
      <span class="pile-label" aria-hidden="true">${facts.short || zone.label}</span>
      <${Hit} zone=${zone} context=${context} says=${says} />
    </div>`
}

/** One sentence with pieces, and what they offer. @param {Props<'line'>} props */
const Line = ({ zone, context }) => html`
  <div class="line" role="group" aria-label=${zone.label} data-zone=${zone.id}>
    ${zone.pieces.map(piece => html`
      <${PieceView} key=${piece.id + piece.code} piece=${piece} theme=${context.theme}
        data-owner=${zone.owner ?? undefined}
        ...${looks(context, piece.id)} />`)}
    <div class="line-say">
      ${zone.facts.text && html`<p class="felt-note" title=${zone.facts.text}>${zone.facts.text}</p>`}
      ${(zone.facts.pills || []).map((/** @type {any} */ p) => html`
        <p class=${'pill' + (p.lit ? ' is-lit' : '')} title=${p.text}>${p.text}</p>`)}
    </div>
  </div>`

/** A result of fewer letters is written where the card would lie. */
const SHORT = 18

/** One side of a duel, with room for the card that is looked at. @param {Props<'duel'> & {side: any}} props */
function DuelSide({ zone, side, context }) {
  const { aim, scene } = context, isMine = side.seat === scene.viewer
  const ghost = isMine && aim?.path[1] === zone.id ? aim : null, result = inShort(ghost)
  // cards of the last round make room for the first of the next
  const pieces = ghost && zone.facts.last ? [] : zone.pieces.filter(p => side.pieces.includes(p.id))
  const n = pieces.length + (ghost ? 1 : 0)
  return html`
    <div class=${'duel-side' + (side.leads ? ' is-ahead' : '')} data-owner=${side.seat} style=${{ '--n': n }}>
      ${pieces.map(piece => html`
        <${InHand} key=${piece.id + piece.code} piece=${piece} context=${context} data-owner=${side.seat} />`)}
      ${ghost && html`<span class="duel-ghost" aria-hidden="true">${result && result.length < SHORT ? result : '+'}</span>`}
    </div>`
}

/**
 * Two rows of cards that are weighed against each other, the viewer's own below; between them the totals
 * and who leads. What is asked about them is answered with how they come about.
 * @param {Props<'duel'>} props
 */
function Duel({ zone, context }) {
  const { facts, label } = zone, [theirs, own] = facts.sides, state = context.stateOf(zone.id)
  const cls = [
    'duel', facts.active && 'is-active', facts.next && 'is-next', facts.last && 'is-last', state && `is-${state}`,
  ].filter(Boolean).join(' ')
  const says = [`${label}: ${facts.text}`, ...facts.notes].join(' ')
  const total = (/** @type {any} */ side) => side.total && html`
    <b class=${'duel-total' + (side.leads ? ' is-ahead' : '')} key=${`${side.seat}:${side.total}`}>
      ${SeatMark(side.seat, 'is-small')}${side.total}
    </b>`
  return html`
    <div class=${cls} role="group" data-zone=${zone.id} data-rove aria-label=${`${label}: ${facts.text}`}>
      <p class="duel-name" aria-hidden="true">${label}${facts.last && html` <small>last round</small>`}</p>
      <${DuelSide} zone=${zone} side=${theirs} context=${context} />
      <button type="button" class="duel-band" data-item aria-label=${says}
        onClick=${() => context.press(zone.id)} ...${looks(context, zone.id)}>
        ${total(own)}
        <span class="duel-says" title=${facts.short} key=${facts.short}>${facts.short}</span>
        ${total(theirs)}
      </button>
      <${DuelSide} zone=${zone} side=${own} context=${context} />
      ${state && html`<${Hit} zone=${zone} context=${context} says=${label} />`}
    </div>`
}

/**
 * Cards of both sides that face each other across their totals, the viewer's own below. They overlap
 * so that all values can be read; what each adds now stands on it. @param {Props<'column'>} props
 */
function Column({ zone, context }) {
  const { facts, label } = zone, [far, near] = facts.sides, state = context.stateOf(zone.id)
  // what one has laid there, and what it leads to
  const laid = context.scene.zones.flatMap(z => z.pieces).filter(p => context.placeOf(p.id) === zone.id)
  const pieces = [...zone.pieces, ...laid], then = context.ghostOf(zone.id), isThen = then !== undefined && String(then) !== near.total
  const cls = ['column', facts.active && 'is-active', state && `is-${state}`].filter(Boolean).join(' ')
  const hit = html`<${Hit} zone=${zone} context=${context} says=${`${label}: ${facts.text}`} />`
  const cards = (/** @type {any} */ side, /** @type {string[]} */ ids) => (
    pieces.filter(p => ids.includes(p.id)).map((piece, i) => html`
      <div key=${piece.id + piece.code} style=${{ '--i': i }}
        class=${'column-slot' + (side.covered.includes(piece.id) ? ' is-covered' : '') + (laid.includes(piece) ? ' is-laid' : '')}>
        <${InHand} piece=${piece} context=${context} data-owner=${side.seat} />
        ${facts.tags[piece.id] && html`<b class="tag" aria-hidden="true">${facts.tags[piece.id]}</b>`}
      </div>`)
  )
  const row = (/** @type {any} */ side) => {
    const ids = [...side.pieces, ...side.covered, ...(side === near ? laid.map(p => p.id) : [])]
    return html`
      <div class=${'column-side' + (side.lost ? ' is-lost' : '')}>
        <div class="column-cards" style=${{ '--n': ids.length }}>${cards(side, ids)}</div>
        <div class="column-beside" style=${{ '--n': side.beside.length }}>${cards(side, side.beside)}</div>
      </div>`
  }
  const total = (/** @type {any} */ side) => {
    const isGhost = isThen && side === near
    return html`
      <b class=${'total' + (side.leads && !isThen ? ' is-ahead' : '') + (isGhost ? ' is-ghost' : '')}>
        ${SeatMark(side.seat)}${isGhost ? then : side.total || '–'}
      </b>`
  }
  return html`
    <div class=${cls} role="group" data-zone=${zone.id} data-rove
      aria-label=${label}>
      ${row(far)}
      <div class="balance">
        ${total(near)}<span class="standing" title=${facts.short}>${isThen ? 'so far' : facts.short}</span>${total(far)}
        <small class="column-number" aria-hidden="true">${facts.number}</small>
        ${!state && hit}
      </div>
      ${row(near)}
      ${state && hit}
    </div>`
}

/** Whatever else there is. @param {Props} props */
const Other = ({ zone, context }) => html`
  <div class=${'other' + (context.stateOf(zone.id) ? ` is-${context.stateOf(zone.id)}` : '')} role="group"
    aria-label=${zone.label} data-zone=${zone.id} data-rove>
    <p class="felt-note"><b>${zone.label}</b>${zone.facts.text && html` ${zone.facts.text}`}</p>
    <div class="other-pieces">
      ${zone.pieces.map(piece => html`<${InHand} key=${piece.id} piece=${piece} context=${context} />`)}
    </div>
    ${context.stateOf(zone.id) && html`<${Hit} zone=${zone} context=${context} says=${zone.label} />`}
  </div>`

/** @type {Record<string, (props: Props<any>) => any>} */
const KINDS = {
  plaque: Plaque, fan: Fan, pile: Pile, line: Line, duel: Duel, column: Column,
}

/** A zone by its kind. @param {Props} props */
const ZoneView = ({ zone, context }) => html`<${KINDS[zone.kind] || Other} zone=${zone} context=${context} />`

/** What draws a table of a kind of its own, by the kind of a zone that there is then. @type {Record<string, () => Promise<any>>} */
const TABLES = { grid: () => import('../board/board.js'), ring: () => import('./ring.js'), row: () => import('./places.js') }
/** Those that are loaded. @type {Record<string, any>} */
const tables = {}

/** Loads what draws such a table; undefined: not yet. @param {string} kind '': it is none of them */
function useTable(kind) {
  const [, setThere] = useState('')
  useEffect(() => {
    if (!kind || tables[kind]) return
    TABLES[kind]().then(found => {
      tables[kind] = found
      Object.assign(KINDS, found.KINDS)
      setThere(kind)
    })
  }, [kind])
  return tables[kind]
}

// ---- the whole scene ----------------------------------------------------------------------------
/**
 * A context in which nothing can be chosen.
 * @param {Scene} scene
 * @param {RoomMessage} room
 * @param {Theme} theme
 * @returns {Context}
 */
const idle = (scene, room, theme) => ({
  scene, room, theme, n: 0, live: false,
  stateOf: () => '', wordsOf: () => '', keyOf: () => '', ghostOf: () => undefined, placeOf: () => undefined, wouldOf: () => '', deltaOf: () => undefined,
  choicesOf: () => [], aim: null,
  press() {}, look() {}, grab() {},
})

/**
 * Where zones lie: the other seats in order from the viewer's left, what belongs to nobody, my own.
 * @param {Scene} scene
 */
function arranged({ viewer, zones }) {
  const seats = zones.filter(z => z.kind === 'plaque'), n = seats.length
  const isMine = (/** @type {Zone} */ z) => (
    viewer !== null && z.owner === viewer && (z.kind === 'plaque' || z.kind === 'fan')
  )
  const order = (/** @type {Zone} */ z) => ((z.owner ?? 0) - (viewer ?? 0) + n) % n
  const rest = zones.filter(z => z.kind !== 'plaque' && !isMine(z))
  const [first, ...piles] = rest.filter(z => z.kind === 'pile')
  return {
    others: seats.filter(z => !isMine(z)).sort((a, b) => order(a) - order(b)),
    centre: [...(first ? [first] : []), ...rest.filter(z => z.kind !== 'pile'), ...piles],
    own: zones.filter(isMine),
  }
}

/**
 * A scene on the felt. Without a `context` it is only a picture.
 * @param {{scene: Scene, room: RoomMessage, theme: Theme, context?: Context}} props
 */
export function SceneView({ scene, room, theme, context = idle(scene, room, theme) }) {
  const { others, centre, own } = arranged(scene)
  const has = (/** @type {string[]} */ ...kinds) => scene.zones.find(z => kinds.includes(z.kind))?.kind || ''
  const kind = has('grid', 'ring') || ((theme.isPlain || has('row', 'picker')) && 'row') || '', table = useTable(kind)
  const views = (/** @type {Zone[]} */ zones) => (
    zones.map(zone => html`<${ZoneView} key=${zone.id} zone=${zone} context=${context} />`)
  )
  if (kind && !table) return html`<p class="felt-note opening" role="status">One moment …</p>`
  if (kind === 'grid') {
    const view = (/** @type {Zone} */ zone) => views([zone])
    return html`<${table.BoardTable} zones=${scene.zones} view=${view} />`
  }
  if (kind === 'row') return html`<${table.PlacesTable} scene=${scene} parts=${arranged(scene)} views=${views} />`
  if (kind) return html`<${table.RingTable} scene=${scene} parts=${arranged(scene)} context=${context} views=${views} />`
  return html`
    <div class="scene" data-viewer=${scene.viewer ?? ''}>
      <section class="opponents" aria-label=${scene.viewer === null ? 'Seats' : 'Opponents'} data-rove
        data-n=${others.length} style=${{ '--n': others.length }}>${views(others)}</section>
      <section class="centre" aria-label="Centre of the table" data-rove>${views(centre)}</section>
      ${own.length > 0 && html`<section class="own" aria-label="You">${views(own)}</section>`}
    </div>`
}
