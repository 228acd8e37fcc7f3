// @ts-check
/** The page of `battlebox dev`: a match step by step, as everybody sees it, while its game is written. */
import { ChoiceButton, Icon } from '../pieces.js'
import { ThemeTool, applySettings, showInTab, valueTo } from '../shell.js'
import { loadTheme, plain } from '../theme.js'
import { html, render, useEffect, useMemo, useRef, useState } from '../ui.js'
import { Checks } from './checks.js'
import { FaultNote } from './fault.js'
import { Choices, Events, KEYS } from './happened.js'
import { ScenarioDialog } from './scenario.js'
import { maySay, session } from './session.js'
import { State } from './state.js'
import { Table, nameOf } from './table.js'
/** @import { CheckFailure, Checks as Found, Position } from './messages' */
/** @import { Seen } from './session.js' */
/** @import { Eye } from './table.js' */
/** @import { Theme } from '../types' */
/** @typedef {ReturnType<typeof session>} Session */

function App() {
  const [seen, setSeen] = useState(/** @type {Seen | null} */ (null))
  const [theme, setTheme] = useState(/** @type {Theme} */ (plain('')))
  const [eye, setEye] = useState(/** @type {Eye} */ ('act'))
  const [writing, setWriting] = useState(false)
  const on = useMemo(() => session(setSeen), [])
  const game = seen?.status?.game, { position, status } = seen ?? {}
  useEffect(() => {
    if (!game) return
    showInTab(`${game.title}: dev`)
    loadTheme(game.name).then(setTheme)
  }, [game?.name, game?.title])
  const rail = useRef(/** @type {HTMLElement | null} */ (null)), wasOpened = seen?.wanted.opened
  useEffect(() => {
    if (rail.current) rail.current.scrollTop = 0
  }, [position?.at, wasOpened])
  useEffect(() => {
    if (wasOpened && rail.current && !scrolls(rail.current)) rail.current.scrollIntoView()
  }, [wasOpened])
  useKeys(seen, on)
  if (!seen || !status) return null
  const fault = status.fault ?? seen.fault, busy = Boolean(seen.busy)
  const opened = position && position.at === position.line.acts.length ? seen.wanted.opened : null
  return html`
    <div class="box is-dev" data-game=${game?.name}>
      <a class="skip" href="#steps">Skip to the steps</a>
      <header class="top">
        <span class="brand">${Icon('mark')}<span>battlebox dev</span></span>
        <h1>${Icon(theme.emblem)}${game?.title ?? 'Loading …'}</h1>
        <span class="where" role="status">${whereOf(seen)}</span>
        <nav class="tools" aria-label="Tools"><${ThemeTool} /></nav>
      </header>
      <${Bar} seen=${seen} on=${on} />
      ${fault ? html`<main class="tray dev-tray is-fault"><section class="paper" role="alert">
          <${FaultNote} fault=${fault} title=${status.fault ? 'The game cannot be loaded' : 'The game broke'} />
          <p class="hint">Mend it and save: the match comes back where it was.</p></section></main>`
      : !position ? html`<main class="tray dev-tray"><p class="felt-note" role="status">${seen.problem ? 'Mend the options above.' : seen.busy || 'One moment …'}</p></main>`
      : html`
        <${Table} position=${position} theme=${theme} eye=${eye} onEye=${setEye} />
        <div class="rail" ref=${rail}>
          <${RailNav} checks=${status.checks} rail=${rail} />
          ${opened && html`<${OpenedNote} failure=${opened} />`}
          ${position.cut && !(opened && position.cut.refused) && html`<${CutNote} position=${position} onGo=${on.go} />`}
          <${Choices} position=${position} busy=${busy} me=${seen.wanted.me} known=${opened?.fault.what} onChoose=${on.choose} onMine=${on.toMine} />
          <${Events} position=${position} marked=${opened?.marked ?? []} onEvent=${(/** @type {number | null} */ e) => on.go(position.at, e)} />
          <${Checks} checks=${status.checks} version=${status.version} onRun=${on.check} onStop=${on.stopChecks} onOpen=${on.open} />
        </div>
        <${State} position=${position} />
        <${Steps} position=${position} on=${on} onWrite=${() => setWriting(true)} />`}
      ${writing && position && !fault && html`<${ScenarioDialog} position=${position} onClose=${() => setWriting(false)} />`}
    </div>`
}

/** What the page does just now, in words. @param {Seen} seen */
function whereOf({ status, here, busy }) {
  if (!here) return 'The server cannot be reached. Is battlebox dev still running?'
  if (status?.state === 'loading') return 'Loading the new version …'
  if (status?.state === 'broken') return 'This version has an error'
  return busy || `${status?.game?.folder}, version ${status?.version}`
}

/** Whether it has a scroll bar of its own, not that of the page. @param {HTMLElement} rail */
const scrolls = rail => getComputedStyle(rail).maxHeight !== 'none'

/** Where things are in the pane beside the table. @param {{checks: Found, rail: {current: HTMLElement | null}}} props */
const RailNav = ({ checks, rail }) => {
  const to = (/** @type {string} */ id, /** @type {string} */ words, cls = '') => html`<button type="button" class=${cls} onClick=${() => {
    const there = document.getElementById(id)
    if (!there || !rail.current) return
    const top = rail.current.getBoundingClientRect().top + (rail.current.querySelector('.rail-nav')?.clientHeight ?? 0) + 8
    if (scrolls(rail.current)) rail.current.scrollTop += there.getBoundingClientRect().top - top
    else there.scrollIntoView()
  }}>${words}</button>`
  const { state, failures } = checks, n = failures.length
  return html`
    <nav class="rail-nav eyes" aria-label="Beside the table">
      ${to('may', 'Choices')}${to('happened', 'What happened')}
      ${to('checks', n ? `Checks: ${n} failed` : state === 'running' ? 'Checks …' : state === 'done' ? 'Checks: passed' : 'Checks', n ? 'is-failed' : '')}
    </nav>`
}

/** What a check found in the match that is open. @param {{failure: CheckFailure}} props */
const OpenedNote = ({ failure }) => html`
  <section class="paper cut" aria-label="What the check found">
    <h2>${failure.group}</h2>
    <${FaultNote} fault=${failure.fault} />
  </section>`

/** Where a line stops, and why. Rules that refuse what was done before may do so. @param {{position: Position, onGo: Session['go']}} props */
const CutNote = ({ position, onGo }) => {
  const { cut, at } = position
  if (!cut) return null
  const { act, refused } = cut, who = act && (act.seat === null ? 'All' : nameOf(act.seat))
  return html`
    <section class=${`paper cut${refused ? ' is-calm' : ''}`} role=${refused ? 'status' : 'alert'}>
      <h2>${refused ? `From decision ${cut.at} on the match goes another way` : `The match stops at decision ${cut.at}`}</h2>
      ${act && html`<p>${who}: <code>${act.word}</code>${refused && ' is refused now. What came after it is kept, and comes back if it is possible again.'}</p>`}
      <${FaultNote} fault=${cut.fault} />
      ${at !== cut.at && html`<button type="button" class="choice" onClick=${() => onGo(cut.at)}><span>Go there</span></button>`}
    </section>`
}

/** Which match: its seed, its options, who plays. @param {{seen: Seen, on: Session}} props */
function Bar({ seen, on }) {
  const { wanted, status, position, busy } = seen, { line, level, me } = wanted
  const levels = status?.game?.levels ?? [], game = status?.game
  if (!line || !game) return null
  const seed = line.seed, to = (/** @type {number} */ n) => { if (n >= 0) on.begin(line.options, n) }
  const known = game.options.map(o => `${o.name}=${o.default}: ${o.about}`).join('\n')
  return html`
    <section class="paper dev-bar" aria-label="Match">
      <div class="seed" role="group" aria-label="Seed">
        <${Step} icon="left" label="Previous seed" off=${!seed} onClick=${() => to(seed - 1)} />
        <label class="field">Seed<input type="number" min="0" value=${seed} onChange=${valueTo(v => to(Math.floor(Number(v)) || 0))} /></label>
        <${Step} icon="right" label="Next seed" onClick=${() => to(seed + 1)} />
      </div>
      <label class="field is-wide" title=${known}>Options<input value=${line.options} spellcheck="false" placeholder="players=3"
        onChange=${valueTo(v => on.begin(v.trim(), seed))} /></label>
      <label class="field">You play<select onChange=${valueTo(v => on.play(v === '' ? null : Number(v)))}>
        <option value="" selected=${me === null}>every seat</option>
        ${(position?.names ?? []).map((_, p) => html`<option value=${p} selected=${me === p}>${nameOf(p)}</option>`)}</select></label>
      <label class="field">Bots<select onChange=${valueTo(on.setLevel)}>
        ${levels.map((x, i) => html`<option value=${x} selected=${level === x}>${x}${game.simulations[i] ? `, ${game.simulations[i]} simulations` : ''}</option>`)}</select></label>
      ${busy ? html`<${ChoiceButton} text="Stop" onClick=${on.stop} />` : html`
        <${ChoiceButton} text=${level === 'random' ? 'Random match' : 'Bots play it'} title="Bots play every seat, from here to the end" onClick=${() => on.playOn(level)} />
        <${ChoiceButton} text="From the start" title="You decide for every seat; the next seeds begin so, too" onClick=${on.fromStart} />`}
      ${seen.problem && html`<p class="field-error" role="alert">${seen.problem}</p>`}
    </section>`
}

/** @param {{icon: string, label: string, off?: boolean, onClick: () => void}} props */
const Step = ({ icon, label, off, onClick }) => html`
  <button type="button" class="step" aria-label=${label} title=${label} aria-disabled=${off ? 'true' : undefined}
    onClick=${() => { if (!off) onClick() }}>${Icon(icon)}</button>`

/** The slider over all decisions, and that over the events of one. @param {{position: Position, on: Session, onWrite: () => void}} props */
function Steps({ position, on, onWrite }) {
  const { at, event, events, line, by, names } = position, last = line.acts.length, n = events.length
  const words = by ? `${by.seat === null ? 'All' : names[by.seat]}: ${by.word}` : 'before the first decision'
  return html`
    <section class="paper scrub dev-steps" id="steps" aria-label="Steps" tabindex="-1">
      <div class="keys" role="group" aria-label="Steps">
        <${Step} icon="prev" label="To the start (Home)" off=${!at} onClick=${on.home} />
        <${Step} icon="left" label="One decision back (left arrow)" off=${!at} onClick=${() => on.step(-1)} />
        <${Step} icon="right" label="One decision on (right arrow)" off=${at >= last} onClick=${() => on.step(1)} />
        <${Step} icon="next" label="To the end (End)" off=${at >= last} onClick=${on.end} />
      </div>
      <label class="slide"><span>Decision <b>${at}</b> of ${last}</span>
        <input type="range" min="0" max=${last} value=${at} aria-valuetext=${`${at} of ${last}, ${words}`}
          onInput=${valueTo(v => on.go(Number(v)))} /></label>
      <label class="slide is-events"><span>${event === null ? `After its ${n === 1 ? 'event' : `${n} events`}` : `Event ${event} of ${n}`}</span>
        <input type="range" min="1" max=${n + 1} value=${event ?? n + 1} disabled=${!n}
          aria-valuetext=${event === null ? 'after all events' : `after event ${event}, ${events[event - 1]?.event}`}
          onInput=${valueTo(v => on.go(at, Number(v) > n ? null : Number(v)))} /></label>
      <${ChoiceButton} text="Save as scenario" onClick=${onWrite} />
    </section>`
}

/** Arrows step, with Shift by events; Home and End jump; [ and ] are seeds; numbers choose. @param {Seen | null} seen @param {Session} on */
function useKeys(seen, on) {
  const latest = useRef(seen)
  latest.current = seen
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ e) => {
      const target = e.target instanceof HTMLElement ? e.target : null, now = latest.current
      const slider = target instanceof HTMLInputElement && target.type === 'range'
      if (!now || e.altKey || e.ctrlKey || e.metaKey) return
      if (target?.closest('select, textarea, dialog') || (target instanceof HTMLInputElement && target.type !== 'checkbox')) {
        if (!slider || !/^\d$/.test(e.key)) return
      }
      const inScroll = target?.closest('.scrolls, .source')
      const { line } = now.wanted, choice = /^[1-9]$/.test(e.key) && Number(e.key) <= KEYS && now.position?.choices[Number(e.key) - 1]
      const does = {
        ArrowLeft: () => (e.shiftKey ? on.stepEvent(-1) : on.step(-1)),
        ArrowRight: () => (e.shiftKey ? on.stepEvent(1) : on.step(1)),
        Home: on.home, End: on.end,
        '[': () => line && line.seed > 0 && on.begin(line.options, line.seed - 1),
        ']': () => line && on.begin(line.options, line.seed + 1),
      }[e.key]
      if (does && !(inScroll && e.key.length > 1)) does()
      else if (choice && !now.busy && now.position && maySay(now.position, now.wanted.me)) on.choose({ seat: choice.seat, word: choice.word })
      else return
      e.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

applySettings()
render(html`<${App} />`, /** @type {Element} */ (document.getElementById('app')))
