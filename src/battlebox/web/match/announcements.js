// @ts-check
/** What the page says when something happens: in a toast, aloud, and in the browser's tab. */
import { freshTold } from './playback.js'
import { waitingFor } from '../seats.js'
import { showInTab } from '../shell.js'
import { html, useEffect, useRef, useState } from '../ui.js'
/** @import { RoomMessage } from '../protocol' */
/** @import { EventView, Shown, Theme } from '../types' */

/** How long a toast stays. */
const TOAST = 2500
/** What is told on the way is read out when the way has ended, or after so long. */
const KEEP_BACK = 1500
/** @type {Record<string, string>} */
const OFFERS = { draw: 'Your draw offer', undo: 'Your request to take back' }

/** @typedef {{text: string, icon: string, seat?: number, isBanner: boolean, isNotice: boolean, key: number}} Said `isNotice`: of what one has asked for */

/** Who is waited for, in a few words. @param {RoomMessage} room @param {Shown} shown @param {boolean} yours */
export function cueOf(room, { scene, countdown }, yours) {
  if (yours) return scene.cue || (countdown ? 'You may respond' : 'Your turn')
  if (countdown && !room.end) return 'Waiting for responses'
  if (scene.over || room.end) return 'Match over'
  const who = waitingFor(room, scene)
  if (scene.viewer === null) return who ? `You are watching. ${who}` : 'You are watching'
  return who || 'One moment'
}

/**
 * @param {{shown: Shown, newest: Shown | null, isBehind: boolean, isLost: boolean, room: RoomMessage,
 *   theme: Theme, yours: boolean}} at
 */
export function useAnnouncements({ shown, newest, isBehind, isLost, room, theme, yours }) {
  const { scene } = shown, { say, region } = useSpeech()
  const [toast, setToast] = useState(/** @type {Said | null} */ (null))
  const isFirst = useRef(true), length = useRef(0), isHushed = useRef(false)

  const show = (/** @type {string} */ text, /** @type {string} */ icon, /** @type {number | undefined} */ seat, /** @type {boolean} */ isBanner) => (
    // what happens meanwhile stands in the log as well, an answer stands nowhere else
    setToast(last => (last?.isNotice ? last : { text, icon, seat, isBanner, isNotice: false, key: performance.now() }))
  )
  /** Says what has happened. */
  const tell = (/** @type {EventView[]} */ told, isBanner = false) => {
    const [{ event, args }] = told
    show(told.map(t => t.text).join(' '), theme.events[event].icon || 'right', args.seat ?? undefined, isBanner)
  }
  const notice = (/** @type {string} */ text, /** @type {string} */ icon) => {
    setToast({ text, icon, isBanner: false, isNotice: true, key: performance.now() })
    say(text)
  }

  useEffect(() => {
    const fresh = freshTold(shown).filter(t => t.text)
    const shout = isFirst.current ? null : [...fresh].reverse().find(t => theme.events[t.event]?.toast)
    const great = isFirst.current ? [] : fresh.filter(t => theme.events[t.event]?.banner)
    const skipped = isHushed.current
    isHushed.current = false
    if (skipped) setToast(null)
    else if (great[0]) tell(great, true)
    else if (shout) tell([shout])
    say(fresh.map(t => t.text), isBehind ? KEEP_BACK : undefined)
    isFirst.current = false
  }, [shown])
  const known = newest?.told.length ?? 0 // not of what is shown: who watches goes back
  useEffect(() => {
    if (known < length.current) notice('Taken back.', 'undo')
    length.current = known
  }, [known])
  useEffect(() => {
    if (isBehind) return
    const cue = `${cueOf(room, shown, yours)}.`
    const words = scene.prompt.startsWith(cue.slice(0, -1)) ? scene.prompt : [cue, scene.prompt].join(' ')
    if (yours || scene.over) return say(words)
    const timer = setTimeout(() => say(words), KEEP_BACK) // who is waited for is news only if one has to wait
    return () => clearTimeout(timer)
  }, [shown, isBehind])
  useEffect(() => {
    if (isLost) say('Connection lost; reconnecting.')
  }, [isLost])
  useEffect(() => {
    if (!toast) return
    const hide = () => setToast(null), timer = setTimeout(hide, TOAST)
    const onEsc = (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Escape') hide() }
    if (toast.isBanner) {
      addEventListener('pointerdown', hide)
      addEventListener('keydown', onEsc)
    }
    return () => {
      clearTimeout(timer)
      removeEventListener('pointerdown', hide)
      removeEventListener('keydown', onEsc)
    }
  }, [toast?.key])

  useEffect(() => {
    const { outcome } = room
    if (!outcome || outcome.accepted || room.end) return
    const what = OFFERS[outcome.what] || `Your offer to ${outcome.what}`
    if (outcome.by === room.you) notice(`${what} was declined.`, 'cross')
  }, [JSON.stringify(room.outcome)]) // another object with each message

  // the title tells of the newest picture, not of the one shown: a player who looks elsewhere is waited for now
  const last = newest?.scene, isMine = Boolean(last && last.viewer !== null && last.to_act === last.viewer)
  const cue = isMine && !room.end && !last?.over ? last?.cue || 'Your turn' : ''
  useEffect(() => showInTab(room.title, cue), [cue])
  useEffect(() => () => showInTab('battlebox'), [])

  return {
    toast, notice, say, region,
    /** What has happened is skipped: no toast tells of it. */
    hush: () => { isHushed.current = true },
  }
}

// ---- aloud --------------------------------------------------------------------------------------
/** Long enough to gather what belongs together, short enough not to be noticed. */
const GATHER = 250

/**
 * The one live region: what has happened and what is asked, in one go, so that nothing is cut off. `say` waits a
 * moment for more; a longer `wait` keeps words back until what they lead to is there.
 * @returns {{say: (text: string | string[], wait?: number) => void, region: any}}
 */
function useSpeech() {
  const [text, setText] = useState('')
  const waiting = useRef(/** @type {string[]} */ ([])), timer = useRef(/** @type {any} */ (0))
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (/** @type {string | string[]} */ text, wait = GATHER) => {
    waiting.current.push(...[text].flat().filter(Boolean))
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const all = waiting.current.filter((t, i, list) => t !== list[i - 1]).join(' ')
      waiting.current = []
      if (all) setText(old => (old === all ? `${all} ` : all)) // the same words again are news, too
    }, wait)
  }
  return { say, region: html`<p class="vh" role="status" aria-live="polite">${text}</p>` }
}
