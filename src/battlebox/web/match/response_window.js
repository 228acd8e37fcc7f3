// @ts-check
/** The response window: the countdown that everybody sees, and the habit of declining what is asked meanwhile. */
import { ChoiceButton } from '../pieces.js'
import * as storage from '../storage.js'
import { html, useEffect, useMemo, useState } from '../ui.js'
/** @import { RoomMessage } from '../protocol' */
/** @import { RunningCountdown, Shown, Theme } from '../types' */

/** How a habit is called where the game's theme has no better words. */
const NEVER = 'Always decline this'

/** More seconds than this are no hurry, and not told. */
const LONG = 60

/** What everybody sees alike, no matter who is asked. @param {{countdown: RunningCountdown}} props */
export function Countdown({ countdown: { of, ends } }) {
  const left = useSeconds(ends), isLong = left > LONG
  // from when it is first drawn on, the bar runs by itself
  const gone = useMemo(() => of - (ends - performance.now()) / 1000, [ends, isLong])
  return !isLong && html`
    <p class="hold" role="timer" aria-label="Time left to respond" key=${ends}>
      <span class="hold-bar" aria-hidden="true"
        style=${`--of: ${of}s; --gone: ${-Math.max(0, gone).toFixed(1)}s`}></span>
      <span class="hold-left">${left} s</span>
    </p>`
}

/** The whole seconds that are left. @param {number} ends */
function useSeconds(ends) {
  const left = () => Math.max(0, Math.ceil((ends - performance.now()) / 1000))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    setSeconds(left())
    const clock = setInterval(() => setSeconds(left()), 250)
    return () => clearInterval(clock)
  }, [ends])
  return seconds
}

/**
 * The questions of a match that this page declines by itself, by their phases. The server hears an
 * answer like any other.
 * @param {RoomMessage} room
 * @param {Theme} theme
 */
export function useHabits({ id }, theme) {
  const [kept, setKept] = useState(storage.habits(id))
  const flip = (/** @type {string} */ phase) => {
    const now = kept.includes(phase) ? kept.filter(p => p !== phase) : [...kept, phase]
    storage.keepHabits(id, now)
    setKept(now)
  }
  const known = [...new Set([...Object.keys(theme.never || {}), ...kept])]
  return {
    /** Whether a question is answered by itself. @param {Shown} s */
    declines: s => Boolean(s.countdown) && kept.includes(s.scene.phase),
    all: known.map(phase => ({ phase, on: kept.includes(phase), text: wordsOf(theme, phase) })),
    wordsOf: (/** @type {string} */ phase) => wordsOf(theme, phase),
    flip,
  }
}

/** @param {Theme} theme @param {string} phase */
const wordsOf = (theme, phase) => theme.never?.[phase] || NEVER

/** A habit where it is taken up and given up. @param {{text: string, on: boolean, onFlip: () => void}} props */
export const Habit = ({ text, on, onFlip }) => html`
  <${ChoiceButton} text=${on ? 'Ask me again' : text} sub=${on ? `now: ${text}` : ''} icon=${on ? 'bell' : 'cross'}
    class="is-habit" onClick=${onFlip} />`
