// @ts-check
/**
 * The socket of a match: says hello, follows the frames, sends actions, heals itself.
 *
 * What was sent and not acknowledged is kept and sent again under its old id after a reconnection,
 * so a broken line can neither lose an action nor do it twice. A server that was started anew counts
 * its pictures anew: a choice is made again there if the question is still the same.
 */
import { to } from './place.js'
import { unpacked, unpackedZone } from './scene.js'
/** @import { Frame, Shown, Table, Told, Trouble, Zone } from './types' */

/** @typedef {'connecting' | 'live' | 'lost' | 'refused'} LineState */
/**
 * @typedef {{type: 'state', state: LineState, error?: Trouble}
 *   | {type: 'table', table: Table}
 *   | {type: 'frame', shown: Shown, moments: Shown[], jump: boolean}} Heard
 */

const FIRST_WAIT = 400, LONGEST_WAIT = 8000
/** An action without an answer for so long means that the line is dead, whatever the socket says. */
const PATIENCE = 6000
/** The server lets hear of itself every twenty seconds; after so much silence the line is dead. */
const SILENCE = 50_000
/** After these errors another try would end the same way. */
const FATAL = ['not_found', 'bad_token', 'cannot_be_opened']

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
   * `hear`: for what takes long: gets what comes before the answer; silence does not mean that the line is dead.
   * `seen`: the picture that a choice is made in.
   * @typedef {{message: any, hear?: (m: any) => void, seen?: Shown, done: (answer?: any) => void,
   *   failed: (t: Trouble) => void, alarm: any}} Pending
   */
  /** @type {Map<string, Pending>} */
  const pending = new Map()

  let run = '', n = -1
  /** @type {Told[]} */
  let told = []
  /** @type {Zone[]} */
  let zones = []
  /** @type {Shown | null} */
  let newest = null

  const become = (/** @type {LineState} */ next, /** @type {Trouble | undefined} */ error = undefined) => {
    if (next === state && !error) return
    state = next
    hear({ type: 'state', state, error })
  }

  function open() {
    clearTimeout(retry)
    if (closed) return
    const line = socket = new WebSocket(address(id))
    line.onopen = () => {
      line.send(JSON.stringify({ type: 'hello', token: token || null, ...(run && { run, since: n }) }))
      for (const [key, p] of pending) transmit(key, p)
    }
    line.onmessage = e => receive(JSON.parse(e.data))
    line.onclose = () => { if (line === socket) dropped() }
  }

  /** The line is gone: say so at once, and try again, each time a little later. */
  function dropped() {
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null
      socket.close()
      socket = null
    }
    if (closed) return
    become(n < 0 && tries < 2 ? 'connecting' : 'lost')
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
    clearTimeout(watch)
    watch = setTimeout(dropped, SILENCE)
    tries = 0
    become('live')
    if (m.type === 'table') hear({ type: 'table', table: m })
    else if (m.type === 'frame') follow(m)
    else if (['ack', 'refused', 'hint', 'review'].includes(m.type)) answered(m)
  }

  /** @param {Frame} f */
  function follow(f) {
    const isNew = f.run !== run, jump = isNew || f.keep < told.length
    run = f.run
    n = f.n
    told = told.slice(0, f.keep).concat(f.told)
    const moments = jump ? [] : onTheWay(f)
    const before = moments.length ? moments[moments.length - 1].told.length : f.keep
    const fresh = isNew ? lastAction(told) : told.length - before
    const scene = unpacked(f.scene), hold = f.hold ? { of: f.hold.of, ends: performance.now() + 1000 * f.hold.left } : null
    newest = { run, n, rest: 0, scene, told, fresh, undo: f.undo, hold }
    hear({ type: 'frame', shown: newest, moments, jump })
    zones = scene.zones
  }

  /** What was to be seen before this frame; zones that had not changed come as their ids. @param {Frame} f @returns {Shown[]} */
  function onTheWay(f) {
    const { viewer } = f.scene, moments = f.moments || []
    return moments.map((m, i) => {
      zones = m.zones.map(z => (typeof z === 'string' ? /** @type {Zone} */ (zones.find(old => old.id === z)) : unpackedZone(z)))
      const { phase, title, prompt } = m, fresh = m.told - (moments[i - 1]?.told ?? f.keep)
      const scene = { viewer, to_act: null, phase, title, prompt, zones, choices: [], over: false }
      return { run, n: f.n, rest: moments.length - i, scene, told: told.slice(0, m.told), fresh, undo: false, hold: null }
    })
  }

  /** @param {{type: string, id: string, error: Trouble, token?: string, done?: number}} m */
  function answered(m) {
    const p = pending.get(m.id)
    if (!p) return
    if (m.done !== undefined) return p.hear?.(m)
    if (p.seen && m.error?.code === 'stale' && p.message.run !== run && newest && isSame(p.seen, newest)) {
      p.message = { ...p.message, run, n } // the frame of the new run has come before this answer
      return transmit(m.id, p)
    }
    clearTimeout(p.alarm)
    pending.delete(m.id)
    if (m.type === 'refused') p.failed(m.error)
    else p.done(m.type === 'ack' ? m.token : m)
  }

  /** @param {Trouble} error */
  function troubled(error) {
    if (FATAL.includes(error.code)) {
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

  /** Tries at once instead of waiting: somebody asks, the network is back, or the page is looked at. */
  function again() {
    if (socket || closed || document.hidden) return
    open()
  }

  /**
   * @param {string} key @param {object} message @param {{hear?: (m: any) => void, seen?: Shown}} [how]
   * @returns {Promise<any>}
   */
  const transact = (key, message, how) => new Promise((done, failed) => {
    const p = { message, ...how, done, failed, alarm: undefined }
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
     * Sends an action; done when it is acknowledged, fails with a Trouble when it is refused.
     * Gives the token of the seat, if the action has taken one.
     * @param {{type: string, [more: string]: unknown}} message
     * @returns {Promise<string | undefined>}
     */
    send: message => transact(uuid(), message),
    /**
     * Makes a choice of this picture; done and fails as `send`.
     * @param {number} action
     * @param {Shown} seen
     */
    choose: (action, seen) => transact(uuid(), { type: 'do', run: seen.run, n: seen.n, action }, { seen }),
    /**
     * Asks for what is no action, and may take a while: the message that answers it, and how to stop it.
     * @param {{type: string, [more: string]: unknown}} message
     * @param {(m: any) => void} [hear] gets what is said on the way
     * @returns {{answer: Promise<any>, stop: () => void}}
     */
    ask(message, hear = () => {}) {
      const key = uuid(), stop = () => {
        if (pending.delete(key) && socket?.readyState === WebSocket.OPEN) {
          socket.send(JSON.stringify({ type: 'stop', id: key }))
        }
      }
      return { answer: transact(key, message, { hear }), stop }
    },
  }
}

/**
 * How many entries, at the end, tell of the last action: what is new to somebody who just came.
 * @param {Told[]} told
 */
const lastAction = told => told.filter(t => t.turn === told[told.length - 1].turn).length

/** Whether two pictures ask the same, after the same has happened. @param {Shown} a @param {Shown} b */
const isSame = (a, b) => questionOf(a) === questionOf(b)

/** @param {Shown} s */
const questionOf = s => JSON.stringify([s.scene, s.told.map(({ turn, event, args }) => [turn, event, args])])

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
