// @ts-check
/** Play, pause, one step back or on, and how quick: of a replay, and of a match that one watches. */
import { ChoiceButton, Icon } from '../pieces.js'
import { addStyle } from '../theme.js'
import { html, useEffect, useRef } from '../ui.js'
/** @import { Film, playback, stepper } from './playback.js' */

await addStyle('/web/match/playbar.css')

const SPEEDS = [0.5, 1, 2, 4]

/** @typedef {Pick<ReturnType<typeof stepper>, 'film' | 'to' | 'play' | 'rate'>} Player */

/** What one can do: stepping pauses; a match that is over begins anew from its end. @param {Player} player @param {boolean} isOver */
const doesOf = (player, isOver) => {
  const to = (/** @type {(film: Film) => number} */ where) => () => {
    player.play(false)
    player.to(where(player.film()))
  }
  return {
    left: to(f => f.at - 1), right: to(f => f.at + 1), home: to(f => f.first), end: to(f => f.last),
    play: () => {
      const { at, first, last, playing } = player.film()
      if (isOver && !playing && at >= last) player.to(first)
      player.play(!playing)
    },
    faster: () => player.rate(SPEEDS[(SPEEDS.indexOf(player.film().speed) + 1) % SPEEDS.length] ?? 1),
  }
}

/**
 * The buttons, and the keys for them: arrows step, space plays, Home and End jump.
 * @param {{film: Film, player: Player, isOver?: boolean}} props
 */
export function Keys({ film, player, isOver = false }) {
  const { first, at, last, playing, speed } = film, does = doesOf(player, isOver)
  useKeys(does)
  return html`
    <div class="keys" role="group" aria-label="Playback">
      ${isOver && html`<${Key} icon="prev" label="To the start" off=${at <= first} onClick=${does.home} />`}
      <${Key} icon="left" label="One step back" off=${at <= first} onClick=${does.left} />
      <${Key} icon=${playing ? 'pause' : 'play'} label=${playing ? 'Pause' : 'Play'} main onClick=${does.play} />
      <${Key} icon="right" label="One step forward" off=${at >= last} onClick=${does.right} />
      ${isOver && html`<${Key} icon="next" label="To the end" off=${at >= last} onClick=${does.end} />`}
      <button type="button" aria-label=${`Speed ${speed}. Change`} onClick=${does.faster}><b aria-hidden="true">${speed}×</b></button>
    </div>`
}

/**
 * The bar of a match that goes on: how far one is behind, and the way back to what happens now.
 * @param {{film: Film, player: ReturnType<typeof playback>}} props
 */
export function Playbar({ film, player }) {
  const behind = film.last - film.at, steps = behind === 1 ? '1 step behind' : `${behind} steps behind`
  const now = () => {
    player.skip()
    player.play(true)
  }
  return html`
    <div class="playbar">
      <${Keys} film=${film} player=${player} />
      ${behind > 0 && html`<${ChoiceButton} text="Catch up" sub=${steps} icon="next" onClick=${now} />`}
    </div>`
}

/** @param {{icon: string, label: string, main?: boolean, off?: boolean, onClick: () => void}} props */
const Key = ({ icon, label, main, off, onClick }) => html`
  <button type="button" class=${main ? 'is-main' : ''} aria-label=${label} title=${label}
    aria-disabled=${off ? 'true' : undefined} onClick=${() => { if (!off) onClick() }}>${Icon(icon)}</button>`

/**
 * Where a key has a meaning of its own it keeps it.
 * @param {{left: () => void, right: () => void, home: () => void, end: () => void, play: () => void}} does
 */
function useKeys(does) {
  const latest = useRef(does)
  latest.current = does
  useEffect(() => {
    /** @param {KeyboardEvent} e */
    const press = e => {
      const at = e.target instanceof HTMLElement ? e.target : null
      const slider = at instanceof HTMLInputElement && at.type === 'range'
      if (e.altKey || e.ctrlKey || e.metaKey || (e.key === ' ' && at?.closest('button, a, summary'))) return
      if (!slider && at?.closest('input, select, textarea, dialog, [data-rove] [tabindex]')) return
      const key = /** @type {const} */ ({
        ArrowLeft: 'left', ArrowRight: 'right', Home: 'home', End: 'end', ' ': 'play',
      })[e.key]
      const scrolls = key === 'home' || key === 'end'
      if (!key || (scrolls && at?.closest('[tabindex="0"]'))) return
      e.preventDefault()
      latest.current[key]()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
