// @ts-check
/**
 * The socket of a match: says hello, follows the frames, sends commands, reconnects.
 *
 * What was not acknowledged is sent again under its old id after a reconnection, so a broken line can neither
 * lose a command nor do it twice.
 */
import { to } from '../place.js'
import { follower } from './frames.js'
import { PREFIX } from '../storage.js'
/** @import { Frame, Problem, RoomMessage } from '../protocol' */
/** @import { FrameHeard } from './frames.js' */
/** @import { Shown } from '../types' */

/** @typedef {'connecting' | 'live' | 'lost' | 'refused'} LineState */
/**
 * @typedef {{type: 'state', state: LineState, error?: Problem}
 *   | {type: 'room', room: RoomMessage}
 *   | FrameHeard} Heard
 */

/** The version of the protocol that this page speaks. */
const PROTOCOL = 4
/** @type {Problem} */
const OTHER_PROTOCOL = {
  code: 'other_protocol',
  message: 'The page and the server have different versions of battlebox. Your match is saved; reload the page to go on.',
}

const FIRST_WAIT = 400, LONGEST_WAIT = 8000
/** Another server may greet sooner; after three tries the line may be slow. */
const GREETING = 4000
/** After so long without an answer the line is dead. */
const PATIENCE = 6000
/** The server is heard every five seconds; after so much silence the line is dead. */
const SILENCE = 12_000
/** After these another try would end the same. */
const FATAL = ['not_found', 'bad_token', 'cannot_be_opened']
/** All that answers what was sent under an id. */
const ANSWERS = ['ack', 'refused', 'hint', 'review', 'review_progress']

/**
 * @param {{id: string, token: string, hear: (heard: Heard) => void}} where
 */
export function connect({ id, token, hear }) {
  /** @type {WebSocket | null} */
  let socket = null
  /** @type {LineState} */
  let state = 'connecting'
  let tries = 0, closed = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let watch
  /**
   * `hear`: for what takes long: gets what comes before the answer.
   * @typedef {{message: any, hear?: (m: any) => void, done: (answer?: any) => void,
   *   failed: (p: Problem) => void, alarm: any}} Pending
   */
  /** @type {Map<string, Pending>} */
  const pending = new Map()

  const frames = follower()

  const become = (/** @type {LineState} */ next, /** @type {Problem | undefined} */ error = undefined) => {
    if (next === state && !error) return
    state = next
    hear({ type: 'state', state, error })
  }

  const expect = (/** @type {number} */ within) => {
    clearTimeout(watch)
    watch = setTimeout(dropped, within)
  }

  function open() {
    clearTimeout(retry)
    if (closed) return
    const line = socket = new WebSocket(address(id))
    expect(tries < 3 ? GREETING : SILENCE)
    line.onopen = () => {
      line.send(JSON.stringify({ type: 'hello', protocol: PROTOCOL, token: token || null, ...frames.seen() }))
      for (const [key, p] of pending) transmit(key, p)
    }
    line.onmessage = e => receive(JSON.parse(e.data))
    line.onclose = () => { if (line === socket) dropped() }
  }

  function hangUp() {
    const line = socket
    if (!line) return
    line.onclose = line.onmessage = null
    line.onopen = () => line.close()
    if (line.readyState) line.close()
    socket = null
  }

  /** Says so at once, and tries again, each time a little later. */
  function dropped() {
    hangUp()
    if (closed) return
    become(frames.isNew() && tries < 2 ? 'connecting' : 'lost')
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries) * (0.7 + 0.6 * Math.random())
    tries += 1
    clearTimeout(retry)
    retry = setTimeout(open, wait)
  }

  /** @param {string} key @param {Pending} p */
  function transmit(key, p) {
    if (socket?.readyState !== WebSocket.OPEN) return
    socket.send(JSON.stringify({ ...p.message, id: key }))
    clearTimeout(p.alarm)
    p.alarm = p.hear ? undefined : setTimeout(dropped, PATIENCE)
  }

  /** @param {any} m */
  function receive(m) {
    if (m.type === 'error') return troubled(m.error)
    if (m.type === 'room' && m.protocol !== PROTOCOL) return outdated()
    expect(SILENCE)
    tries = 0
    become('live')
    if (m.type === 'room') {
      forgetReload()
      hear({ type: 'room', room: m })
    } else if (m.type === 'frame') follow(m)
    else if (ANSWERS.includes(m.type)) answered(m)
  }

  /** @param {Frame} f */
  function follow(f) {
    const heard = frames.follow(f)
    if (heard) hear(heard)
    else anew()
  }

  /** Forgets what was seen: the next frame is whole. */
  function anew() {
    frames.forget()
    hangUp()
    open()
  }

  /** @param {{type: string, id: string, error: Problem, token?: string}} m */
  function answered(m) {
    const p = pending.get(m.id)
    if (!p) return
    if (m.type === 'review_progress') return p.hear?.(m)
    clearTimeout(p.alarm)
    pending.delete(m.id)
    if (m.type === 'refused') p.failed(m.error)
    else p.done(m.type === 'ack' ? m.token : m)
  }

  /** The server is of another version: a page of its own helps. */
  function outdated() {
    close()
    if (mayReload()) location.reload()
    else become('refused', OTHER_PROTOCOL)
  }

  /** @param {Problem} error */
  function troubled(error) {
    if (error.code === 'other_protocol') outdated()
    else if (FATAL.includes(error.code)) {
      close()
      become('refused', error)
    } else if (error.code === 'bad_message' || error.code === 'too_big') {
      for (const p of pending.values()) { // sent again, it would close the line again
        clearTimeout(p.alarm)
        p.failed(error)
      }
      pending.clear()
    }
  }

  function close() {
    closed = true
    clearTimeout(retry)
    clearTimeout(watch)
    for (const p of pending.values()) clearTimeout(p.alarm)
    socket?.close()
    removeEventListener('offline', dropped)
    removeEventListener('online', again)
    document.removeEventListener('visibilitychange', again)
  }

  /** Tries at once: somebody asks, the network is back, or the page is looked at. */
  function again() {
    if (socket || closed || document.hidden) return
    open()
  }

  /**
   * @param {string} key @param {object} message @param {(m: any) => void} [hear]
   * @returns {Promise<any>}
   */
  const transact = (key, message, hear) => new Promise((done, failed) => {
    const p = { message, hear, done, failed, alarm: undefined }
    pending.set(key, p)
    transmit(key, p)
  })

  addEventListener('offline', dropped)
  addEventListener('online', again)
  document.addEventListener('visibilitychange', again)
  open()

  return {
    close,
    again,
    /**
     * Sends a command; done when it is acknowledged, fails with a Problem when it is refused.
     * Gives the token of the seat, if the command has taken one.
     * @param {{type: string, [more: string]: unknown}} message
     * @returns {Promise<string | undefined>}
     */
    send: message => transact(uuid(), message),
    /**
     * Makes a choice of this picture; done and fails as `send`.
     * @param {number} action
     * @param {Shown} shown
     */
    choose: (action, { question }) => transact(uuid(), { type: 'act', question, action }),
    /**
     * Asks for what is no command, and may take a while: the message that answers it, and how to cancel it.
     * @param {{type: string, [more: string]: unknown}} message
     * @param {(m: any) => void} [hear] gets what is said on the way
     * @returns {{answer: Promise<any>, cancel: () => void}}
     */
    ask(message, hear = () => {}) {
      const key = uuid(), cancel = () => {
        if (pending.delete(key) && socket?.readyState === WebSocket.OPEN) {
          socket.send(JSON.stringify({ type: 'cancel', id: key }))
        }
      }
      return { answer: transact(key, message, hear), cancel }
    },
  }
}

/** @param {string} id */
function address(id) {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return `${scheme}://${location.host}${to(`/api/matches/${encodeURIComponent(id)}/live`)}`
}

/** crypto.randomUUID is missing where the page comes over plain HTTP from another machine. */
export function uuid() {
  const b = crypto.getRandomValues(new Uint8Array(16))
  b[6] = (b[6] & 15) | 64
  b[8] = (b[8] & 63) | 128
  const hex = [...b].map(x => x.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

// ---- another version of the page ----------------------------------------------------------------
const RELOADED = `${PREFIX}reloaded`

/** Whether the page may load itself again: once, until that has helped; never where this tab can keep nothing. */
function mayReload() {
  try {
    if (sessionStorage.getItem(RELOADED)) return false
    sessionStorage.setItem(RELOADED, 'yes')
    return true
  } catch {
    return false
  }
}

/** The page and the server understand each other. */
function forgetReload() {
  try {
    sessionStorage.removeItem(RELOADED)
  } catch { /* then it has not been kept either */ }
}
