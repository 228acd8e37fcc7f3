// @ts-check
/** What the page says when something happens: in a toast, aloud, and in the browser's tab. */
import { freshTold } from './playback.js'
import { waitingFor } from './seats.js'
import { showInTab } from './shell.js'
import { useSpeech } from './speech.js'
import { useEffect, useRef, useState } from './ui.js'
/** @import { RoomMessage } from './protocol' */
/** @import { EventView, Shown, Theme } from './types' */

/** How long a toast stays. */
const TOAST = 2500
/** What is told on the way is read out when the way has ended, or after so long. */
const KEEP_BACK = 1500
/** @type {Record<string, string>} */
const OFFERS = { draw: 'Your offer of a draw', undo: 'Taking back' }

/** Who is waited for, in a few words. @param {RoomMessage} table @param {Shown} shown @param {boolean} yours */
export function cueOf(table, { scene, countdown }, yours) {
  if (yours) return scene.cue || (countdown ? 'You are asked' : 'Your turn')
  if (countdown && !table.end) return 'A moment for everybody'
  if (scene.over || table.end) return 'The end'
  const who = waitingFor(table, scene)
  if (scene.viewer === null) return who ? `You are watching. ${who}` : 'You are watching'
  return who || 'One moment'
}

/**
 * @param {{shown: Shown, newest: Shown | null, isBehind: boolean, isLost: boolean, table: RoomMessage,
 *   theme: Theme, yours: boolean}} at
 */
export function useNews({ shown, newest, isBehind, isLost, table, theme, yours }) {
  const { scene } = shown, { say, region } = useSpeech()
  const [toast, setToast] = useState(/** @type {{text: string, icon: string, seat?: number, isBanner: boolean, key: number} | null} */ (null))
  const isFirst = useRef(true), length = useRef(0)

  const show = (/** @type {string} */ text, /** @type {string} */ icon, /** @type {number | undefined} */ seat = undefined, isBanner = false) => (
    setToast({ text, icon, seat, isBanner, key: performance.now() })
  )
  /** Says what has happened. */
  const tell = (/** @type {EventView[]} */ told, isBanner = false) => {
    const [{ event, args }] = told
    show(told.map(t => t.text).join(' '), theme.events[event].icon || 'right', args.seat ?? undefined, isBanner)
  }
  const notice = (/** @type {string} */ text, /** @type {string} */ icon) => {
    show(text, icon)
    say(text)
  }

  useEffect(() => {
    const fresh = freshTold(shown).filter(t => t.text)
    const shout = isFirst.current ? null : [...fresh].reverse().find(t => theme.events[t.event]?.toast)
    const great = isFirst.current ? [] : fresh.filter(t => theme.events[t.event]?.banner)
    if (great[0]) tell(great, true)
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
    const cue = `${cueOf(table, shown, yours)}.`
    const words = scene.prompt.startsWith(cue.slice(0, -1)) ? scene.prompt : [cue, scene.prompt].join(' ')
    if (yours || scene.over) return say(words)
    const timer = setTimeout(() => say(words), KEEP_BACK) // who is waited for is news only if one has to wait
    return () => clearTimeout(timer)
  }, [shown, isBehind])
  useEffect(() => {
    if (isLost) say('The connection is lost. Trying again.')
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
    const { outcome } = table
    if (!outcome || outcome.accepted || table.end) return
    const what = OFFERS[outcome.what] || `Your offer to ${outcome.what}`
    if (outcome.by === table.you) notice(`${what} was refused.`, 'cross')
  }, [JSON.stringify(table.outcome)]) // another object with each message

  // the tab tells of the newest picture, not of the one shown: whoever looks elsewhere is waited for now
  const last = newest?.scene, isMine = Boolean(last && last.viewer !== null && last.to_act === last.viewer)
  const cue = isMine && !table.end && !last?.over ? last?.cue || 'Your turn' : ''
  useEffect(() => showInTab(table.title, cue), [cue])
  useEffect(() => () => showInTab('battlebox'), [])

  return { toast, notice, say, region }
}
