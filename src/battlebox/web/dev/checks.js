// @ts-check
/** The checks of `battlebox check`, in the background; what failed opens where it did. */
import { html } from '../ui.js'
import { FaultNote } from './fault.js'
/** @import { CheckFailure, Checks as Found } from './messages' */

/** @param {{checks: Found, version: number, onRun: () => void, onStop: () => void, onOpen: (failure: CheckFailure) => void}} props */
export function Checks({ checks, version, onRun, onStop, onOpen }) {
  const { state, done, of, now, passed, failures } = checks, runs = state === 'running'
  const n = failures.length, old = state !== 'none' && checks.version !== version
  const said = runs ? `${done} of ${of || '…'}${now && `: ${now}`}`
    : state === 'done' ? (n ? `${n} failed` : 'All passed.')
    : state === 'stopped' ? `Stopped after ${done} of ${of}.`
    : 'Does every scenario hold, does every match end, does nobody learn what is hidden from them?'
  return html`
    <section class="paper checks" id="checks" aria-label="Checks">
      <div class="head"><h2>Checks</h2>
        <button type="button" class="choice" onClick=${runs ? onStop : onRun}><span>${runs ? 'Stop' : 'Run the checks'}</span></button></div>
      ${runs && html`<progress max=${of || 1} value=${done} aria-label="Checks done"></progress>`}
      <p role="status" class=${state === 'done' ? (n ? 'is-bad' : 'is-good') : 'hint'}>${said}
        ${old && html` <small class="hint">This was a version before.</small>`}</p>
      ${(state === 'running' || state === 'done') && html`<p class="hint">They run again by themselves after each save.</p>`}
      ${failures.map((f, /** @type {number} */ i) => html`
        <article key=${i} class="failure">
          <h3>${f.group}</h3>
          <${FaultNote} fault=${f.fault} />
          ${f.line && html`<button type="button" class="choice is-main" disabled=${old} onClick=${() => onOpen(f)}>
            <span>${old ? 'It was found in a version before' : f.line.position ? `Open it: ${f.line.acts.length ? `after ${f.line.acts[f.line.acts.length - 1].word}` : 'its position'}`
            : `Open it: seed ${f.line.seed}, decision ${f.line.acts.length}`}</span></button>`}
        </article>`)}
      ${passed.length > 0 && html`<details><summary>Passed: ${passed.length}</summary>
        <ul class="plain-list">${passed.map(x => html`<li>${x}</li>`)}</ul></details>`}
    </section>`
}
