// @ts-check
/** What may be done now, and what happened: which event, and who was told what of it. */
import { SeatMark } from '../pieces.js'
import { html } from '../ui.js'
import { FaultNote } from './fault.js'
import { maySay } from './session.js'
import { nameOf } from './table.js'
/** @import { Act, ChoiceRow, EventRow, Position, Hearers } from './messages' */

/** The ids of rules; each says its text. @param {{ids: string[], rulebook: Record<string, string>}} props */
const Ids = ({ ids, rulebook }) => html`${ids.map(id => html`<small class="rule-id" title=${rulebook[id]}>${id}</small>`)}`

/** Actions that have a key of their own. */
export const KEYS = 9

/** `me`: the seat that one plays; null: all. `known`: what is said of the position already. @param {{position: Position, busy: boolean, me: number | null, known?: string, onChoose: (act: Act) => void, onMine: () => void}} props */
export function Choices({ position, busy, me, known, onChoose, onMine }) {
  const { choices, refusals, rulebook, to_act, over, returns, names, event, stuck } = position, mine = maySay(position, me)
  const rules = Object.entries(rulebook).filter(([, text]) => text)
  const row = (/** @type {ChoiceRow} */ c, /** @type {number} */ i) => html`
    <li key=${`${c.seat} ${c.word}`}><button type="button" class="choice" disabled=${busy || !mine} onClick=${() => onChoose({ seat: c.seat, word: c.word })}>
      ${i < KEYS && mine && html`<kbd aria-hidden="true">${i + 1}</kbd>`}
      <span>${c.label}${c.sub && html`<small>${c.sub}</small>`}
        <span class="word"><code>${c.word}</code><${Ids} ids=${c.rules} rulebook=${rulebook} /></span></span></button></li>`
  return html`
    <section class="paper may" id="may" aria-label="What may be done">
      <h2>${event !== null ? 'In the midst of an action' : over ? 'The match is over'
        : html`${to_act !== null && SeatMark(to_act, 'is-small')}${to_act === null ? '' : html`${names[to_act]} decides <small>seat ${to_act}</small>`}`}</h2>
      ${over && event === null && html`<p>Returns: ${returns.map((x, p) => html`${SeatMark(p, 'is-small')}<span class="vh">${names[p]}: </span>${x > 0 ? `+${x}` : x} `)}</p>`}
      ${event !== null && html`<p class="hint">Players see what the game shows on the way (its <code>intermediate_views</code>), or
        what there was before. The state is that right after the event.</p>`}
      ${stuck && stuck.what !== known && html`<div role="alert"><${FaultNote} fault=${stuck} /></div>`}
      ${event === null && !over && !mine && me !== null && html`<p class="hint">You play ${names[me]}; a bot decides here.</p>
        <button type="button" class="choice is-main" disabled=${busy} onClick=${onMine}><span>To your decision</span></button>`}
      ${choices.length > 0 && html`<ol class=${choices.length > KEYS ? 'is-long' : ''} tabindex=${choices.length > KEYS ? 0 : undefined} aria-label="Choices">${choices.map(row)}</ol>`}
      ${refusals.length > 0 && html`<details><summary>Not possible now: ${refusals.length}</summary>
        <ul class="plain-list">${refusals.map(r => html`<li><b>${r.what}</b>: ${r.why} <${Ids} ids=${r.rules} rulebook=${rulebook} /></li>`)}</ul></details>`}
      ${rules.length > 0 && html`<details><summary>Rules named here: ${rules.length}</summary>
        <dl class="rules-here">${rules.map(([id, text]) => html`<dt>${id}</dt><dd>${text}</dd>`)}</dl></details>`}
    </section>`
}

const EVERYBODY = html`<i class="chip"><span>everybody</span></i>`

/** `same`: everybody was told this event; `only`: in these words. @param {{told: Hearers, truth: string, same: boolean, only: boolean}} props */
const ToldTo = ({ told, truth, same, only }) => html`
  <li><span class="to">${only ? EVERYBODY : told.viewers.map(v => (v === null ? html`<i class="chip"><span>spectators</span></i>` : html`${SeatMark(v, 'is-small')}<span class="vh">${nameOf(v)} </span>`))}</span>
    ${told.event ? html`<span>${told.said || 'no words'}${!(same && !only) && html`<code class=${told.event === truth ? '' : 'item is-hidden'}>${told.event}</code>`}</span>`
    : html`<span class="item is-hidden">not told</span>`}</li>`

/** `marked`: the names of events that a check complains of. @param {{position: Position, marked: string[], onEvent: (event: number | null) => void}} props */
export function Events({ position, marked, onEvent }) {
  const { events, event, by, at, names } = position
  const who = by && (by.seat === null ? 'All' : names[by.seat])
  return html`
    <section class="paper happened" id="happened" aria-label="What happened">
      <h2>${at ? html`${by?.seat != null && SeatMark(by.seat, 'is-small')}${who}: <code>${by?.word}</code>` : 'Before the first decision'}</h2>
      ${!events.length && html`<p class="hint">Nothing was told.</p>`}
      <ol>${events.map((x, /** @type {number} */ i) => html`<${EventLine} key=${i} row=${x} n=${i + 1} isMarked=${marked.includes(x.event.split('(')[0])} now=${event} onEvent=${onEvent} />`)}</ol>
    </section>`
}

/** @param {{row: EventRow, n: number, isMarked: boolean, now: number | null, onEvent: (event: number | null) => void}} props */
const EventLine = ({ row, n, isMarked, now, onEvent }) => {
  const same = Boolean(row.told[0].event) && row.told.every(t => t.event === row.told[0].event), only = same && row.told.length === 1
  return html`
  <li class=${[now !== null && n > now && 'is-to-come', isMarked && 'is-marked'].filter(Boolean).join(' ')}>
    ${isMarked && html`<p class="hint">It tells somebody what they may not know:</p>`}
    <button type="button" class="event" aria-pressed=${String(now === n)} title="The state right after this event"
      onClick=${() => onEvent(now === n ? null : n)}><code>${row.event}</code></button>
    <ul>${same && !only && html`<li><span class="to">${EVERYBODY}</span><code>${row.told[0].event}</code></li>`}
      ${row.told.map(t => html`<${ToldTo} told=${t} truth=${row.event} same=${same} only=${only} />`)}</ul>
  </li>`
}
