// @ts-check
/** A match as its page needs it: the connection, who sits there, and the picture now shown. */
import { measure, play, settle } from './motion.js'
import { playback } from './playback.js'
import { useEffect, useLayoutEffect, useRef, useState } from '../ui.js'
/** @import { connect, Heard, LineState } from './connection.js' */
/** @import { Picture } from './motion.js' */
/** @import { Film } from './playback.js' */
/** @import { Problem, RoomMessage } from '../protocol' */
/** @import { Scene, Shown } from '../types' */
/** @import { Ref } from '../vendor/hooks.js' */

/**
 * What is shown. `deltas`: by how much the points of zones have changed since the picture before.
 * @typedef {{shown: Shown, deltas: Record<string, number>}} View
 * @typedef {{state: LineState, error?: Problem}} LineView
 * @typedef {ReturnType<ReturnType<typeof connect>['ask']>} Asked
 * @typedef {(message: any, hear?: (m: any) => void) => Asked | undefined} Ask
 * @typedef {{live: ReturnType<typeof connect>, player: ReturnType<typeof playback>}} Parts
 */

/**
 * @param {(hear: (heard: Heard) => void) => ReturnType<typeof connect>} dial connects with a match
 * @param {string[]} to which match that is, and as whom
 * @param {Ref<Element | null>} root what moves when the picture changes
 */
export function useMatch(dial, to, root) {
  const [line, setLine] = useState(/** @type {LineView} */ ({ state: 'connecting' }))
  const [room, setRoom] = useState(/** @type {RoomMessage | null} */ (null))
  const [view, setView] = useState(/** @type {View | null} */ (null))
  const [film, setFilm] = useState(/** @type {Film | null} */ (null))
  const [newest, setNewest] = useState(/** @type {Shown | null} */ (null))
  const before = useRef(/** @type {Picture | null} */ (null))
  const parts = useRef(/** @type {Parts | null} */ (null))

  useEffect(() => {
    const player = playback(shown => {
      before.current = measure(root.current)
      setView(old => ({ shown, deltas: old && old.shown.told.length < shown.told.length ? deltas(old.shown.scene, shown.scene) : {} }))
    }, () => setFilm(player.film()))
    const live = dial(heard => {
      if (heard.type === 'state') setLine(heard)
      else if (heard.type === 'room') setRoom(heard.room)
      else {
        setNewest(heard.shown)
        for (const view of heard.before) player.push(view, false)
        player.push(heard.shown, heard.jump)
      }
    })
    parts.current = { live, player }
    return () => {
      live.close()
      player.stop()
    }
  }, to)

  useLayoutEffect(() => {
    if (before.current) play(root.current, before.current)
    before.current = null
  }, [view])

  /** @returns {Promise<string | undefined>} */
  const send = (/** @type {any} */ message) => (
    parts.current?.live.send(message) ?? Promise.resolve(undefined)
  )
  /** @type {Ask} */
  const ask = (message, hear) => parts.current?.live.ask(message, hear)

  return {
    line,
    room,
    view,
    newest,
    /** Where one is among the pictures, who watches or sees again what was; null: one sees what is now. */
    film,
    player: parts.current?.player,
    /** Whether what is shown is not the newest yet. */
    isBehind: Boolean(view && newest && (view.shown.n !== newest.n || view.shown.rest)),
    skip: () => {
      settle(root.current)
      return Boolean(parts.current?.player.skip())
    },
    hold: (/** @type {boolean} */ on) => parts.current?.player.hold(on),
    again: () => parts.current?.live.again(),
    send,
    ask,
    /** Makes a choice of a picture. @param {number} action @param {Shown} shown */
    choose: (action, shown) => parts.current?.live.choose(action, shown) ?? Promise.resolve(undefined),
  }
}

/** @param {Scene} before @param {Scene} now */
function deltas(before, now) {
  /** @type {Record<string, number>} */
  const out = {}
  for (const zone of now.zones) {
    const old = before.zones.find(z => z.id === zone.id)?.facts.points, points = zone.facts.points
    if (old !== undefined && points !== undefined && points !== old) out[zone.id] = points - old
  }
  return out
}
