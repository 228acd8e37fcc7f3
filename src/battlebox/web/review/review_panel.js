// @ts-check
/** How a match went, drawn: luck and choices of each seat, the chance from move to move, what could have been done. */
import { Icon, SeatMark } from '../pieces.js'
import { to } from '../place.js'
import { seatName } from '../seats.js'
import { html, useEffect, useRef } from '../ui.js'
/** @import { useReview } from './review.js' */
/** @import { ReviewedDecision, RoomMessage, SeatDecisions, SeatSums } from '../protocol' */

/** The parts of the sums as they are drawn. */
const PARTS = /** @type {const} */ ([['luck', 'Luck'], ['own', 'Own choices'], ['others', 'Others’ choices']])

/** @param {{room: RoomMessage, review: ReturnType<typeof useReview>}} props */
export function ReviewPanel({ room, review }) {
  const { sums, decisions, waiting, wrong } = review, ref = useRef(/** @type {HTMLElement | null} */ (null))
  const isFirst = useRef(true)
  useEffect(() => { // the button that was pressed has gone
    const isLost = document.activeElement === document.body && !isFirst.current
    if (isLost) ref.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [Boolean(waiting)])
  return html`<section class="paper went" aria-labelledby="went" aria-busy=${Boolean(waiting)} tabindex="-1" ref=${ref}>
    <h2 id="went">Luck or skill?</h2>
    ${sums && decisions && html`<${Sums} room=${room} review=${review} sums=${sums} decisions=${decisions} />`}
    ${!decisions && html`
      <p>How much was luck, and what turned the match? And what would the best bot have chosen, knowing
        only what ${room.you === null ? 'the players' : 'you'} knew?</p>`}
    ${waiting && html`<${Waiting} ...${waiting} isEarly=${Boolean(decisions)} onCancel=${review.cancel} />`}
    ${wrong && html`<p class="field-error" role="alert">${wrong}</p>`}
    ${!sums && !waiting && html`
      <button type="button" class="choice" onClick=${review.begin}>${Icon('scale')}<span>${decisions ? 'Continue' : 'Review the match'}</span></button>`}
    ${decisions && html`<${Decided} room=${room} shown=${decisions} />`}
  </section>`
}

/** @param {{done: number, of: number, isEarly: boolean, onCancel: () => void}} props */
const Waiting = ({ done, of, isEarly, onCancel }) => html`
  <div class="went-wait">
    <label><span>${isEarly ? 'Measuring how much was luck' : 'Reviewing the match'}${
      of ? `: ${Math.floor(100 * done / of)}\u00a0%` : ' …'}</span>
      <progress max=${of || undefined} value=${of ? done : undefined}></progress></label>
    <button type="button" class="choice" onClick=${onCancel}>${Icon('cross')}<span>Stop</span></button>
  </div>`

/** @param {{room: RoomMessage, review: ReturnType<typeof useReview>, sums: SeatSums[], decisions: SeatDecisions}} props */
const Sums = ({ room, review, sums, decisions }) => html`
  <${Seats} room=${room} sums=${sums} shown=${decisions} onSee=${review.see} />
  <p class="went-sum">${sums[decisions.seat].text}</p>`

/** @param {{room: RoomMessage, shown: SeatDecisions}} props */
function Decided({ room, shown }) {
  const { seat, steps } = shown, at = (/** @type {number} */ step) => to(`/replay/${room.id}?seat=${seat}&step=${step}`)
  const turning = shown.turning_points.map(n => steps[n])
  return html`
    <${Curve} steps=${steps} turning=${turning}
      label=${`${seatName(room, seat)}: the chance to win${shown.rounds > 1 ? ' the round, or the match where it ends' : ''}`} />
    ${turning.length > 0 && seat !== room.you && html`<p>The turning points, as ${seatName(room, seat)} saw them:</p>`}
    ${turning.length > 0 && html`
      <ol class="turning" aria-label="Turning points">${turning.map((x, i) => html`<li key=${x.number}>
        <a href=${at(x.number + 1)}>
          <b class="mark" aria-hidden="true">${i + 1}</b>
          <span><b>${turnOf(room, x, seat)}</b><span class="told">${x.told}</span>
            <${Moved} step=${x} /></span>
        </a></li>`)}</ol>`}
    <${Decisions} key=${seat} shown=${shown} whose=${seat === room.you && !room.seats[seat].resigned ? 'Your' : `${seatName(room, seat)}’s`} at=${at} />`
}

// ---- the seats ----------------------------------------------------------------------------------
/** @param {{room: RoomMessage, sums: SeatSums[], shown: SeatDecisions, onSee: (seat: number) => void}} props */
function Seats({ room, sums, shown: { seat, rounds }, onSee }) {
  const most = Math.max(...sums.flatMap(a => PARTS.map(([part]) => Math.abs(a[part]))), 0.01)
  const what = rounds > 1 ? 'How many rounds luck and choices won or lost'
    : 'How many percentage points luck and choices moved the chance to win'
  return html`<p>${what}, over the whole match:</p><ul class="went-seats" aria-label="Players">
    ${sums.map(a => html`<li key=${a.seat}>
      <button type="button" aria-pressed=${a.seat === seat} aria-label=${`${seatName(room, a.seat)}. ${a.text}`} onClick=${() => onSee(a.seat)}>
        <span class="who">${SeatMark(a.seat, 'is-small')}<b>${seatName(room, a.seat)}</b></span>
        ${PARTS.map(([part, name]) => html`<span class="part" data-part=${part}>
          <small>${name}</small><b class="num">${a.parts[part]}</b>
          <i class=${a[part] < 0 ? 'is-less' : ''} style=${`--v: ${(Math.abs(a[part]) / most).toFixed(3)}`}></i>
        </span>`)}
      </button></li>`)}
  </ul>`
}

// ---- the chance from move to move ---------------------------------------------------------------
const WIDE = 600, HIGH = 150

/** @param {{steps: ReviewedDecision[], turning: ReviewedDecision[], label: string}} props */
function Curve({ steps, turning, label }) {
  const x = (/** @type {number} */ k) => (WIDE * k / steps.length).toFixed(1)
  const y = (/** @type {number} */ expected) => (HIGH * (1 - expected) / 2).toFixed(1)
  // where a round has ended, the next begins with a chance of its own
  const line = steps.map((s, k) => {
    const goesOn = k > 0 && s.before === steps[k - 1].after
    return `${goesOn ? '' : `M${x(k)} ${y(s.before)}`}L${x(k + 1)} ${y(s.after)}`
  }).join('')
  const last = steps[steps.length - 1]
  return html`
    <figure class="curve" role="img"
      aria-label=${`${label}, from ${steps[0].chances[0]} to ${last.chances[1]}`}>
      <span class="scale">${[100, 50, 0].map(p => html`<span>${p} %</span>`)}</span>
      <div class="plot">
        <svg viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
          ${[0, 1, 2, 3, 4].map(q => html`<path class="grid" d=${`M0 ${HIGH * q / 4}H${WIDE}`} />`)}
          <path class="line" d=${line} />
        </svg>
        ${turning.map((s, i) => html`<b class="mark" aria-hidden="true" key=${s.number}
          style=${`left: ${100 * (s.number + 1) / steps.length}%; top: ${50 - 50 * s.after}%`}>${i + 1}</b>`)}
      </div>
    </figure>`
}

// ---- what could have been done ------------------------------------------------------------------
/** @param {{shown: SeatDecisions, whose: string, at: (step: number) => string}} props */
function Decisions({ shown, whose, at }) {
  const own = shown.steps.filter(s => s.mover === shown.seat && s.best)
  if (!own.length) return null
  return html`<div class="decided">
    <h3>${whose} decisions</h3>
    <p>${shown.decided}</p>
    ${shown.worst.length > 0 && html`
      <ol aria-label="Most costly decisions">${shown.worst.map(n => html`<${Decision} key=${n} step=${shown.steps[n]} at=${at} />`)}</ol>`}
    <details><summary>All decisions</summary>
      <ol>${own.map(s => html`<${Decision} key=${s.number} step=${s} at=${at} />`)}</ol></details>
  </div>`
}

/** @param {{step: ReviewedDecision, at: (step: number) => string}} props */
const Decision = ({ step, at }) => html`
  <li><a href=${at(step.number)}>
    <span class="chose"><small>${step.number + 1}.</small> ${step.label}</span>
    ${step.better ? html`<span class="instead">${Icon('bot')}strongest bot:${' '}
      ${step.best_label}${step.why && html`<small>${step.why}</small>`}</span>`
      : html`<span class="instead">${Icon('check')}strongest bot: the same</span>`}
    <b class="num">${step.better}</b>
  </a></li>`

// ---- words --------------------------------------------------------------------------------------
/** @param {{step: ReviewedDecision}} props */
const Moved = ({ step: { before, after, chances } }) => html`
  <span class="moved" data-tone=${after < before ? 'bad' : 'good'}>${Icon(after < before ? 'down' : 'up')}
    ${chances.join(' → ')}</span>`

/**
 * What turned the match: a decision, or what luck made of it.
 * @param {RoomMessage} room @param {ReviewedDecision} step @param {number} seat
 */
function turnOf(room, { number, mover, label, decision, luck }, seat) {
  const who = mover === null ? 'All' : mover === seat ? 'You' : seatName(room, mover)
  return `${number + 1}. ${Math.abs(luck) > Math.abs(decision) ? 'Luck, after ' : ''}${who}: ${label}`
}
