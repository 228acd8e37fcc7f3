// @ts-check
/**
 * The line of play that the page shows, and where on it one is. The page keeps the line as one wanted it, so that it
 * comes back when a rule that cut it is mended; the server says how far it can be played.
 */
import { post } from '../api.js'
/** @import { Act, CheckFailure, Fault, Line, Position, Status, Went } from './messages' */

/**
 * `at`: after so many actions; null: the last. `event`: in the midst of the action before it. `fill`: which bots play
 * a new match to its end; '': none. `me`: the seat that one plays; null: all. `level`: of the bots that play the others.
 * `opened`: the check whose match this is.
 * @typedef {{line: Line | null, at: number | null, event: number | null, fill: string, level: string, me: number | null,
 *   opened: CheckFailure | null}} Wanted
 * @typedef {{status: Status | null, here: boolean, position: Position | null, fault: Fault | null, problem: string,
 *   busy: string, wanted: Wanted}} Seen
 */

const KEY = 'battlebox.dev'

/** @param {string} options @param {number} seed @returns {Line} */
const blank = (options, seed) => ({ options, seed, position: '', chance: null, acts: [] })

/** What was open in this tab. @returns {any} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) || '{}')
  } catch {
    return {}
  }
}

/** @param {(seen: Seen) => void} show */
export function session(show) {
  const query = new URLSearchParams(location.search)
  /** @type {Seen} */
  let seen = {
    status: null, here: false, position: null, fault: null, problem: '', busy: '',
    wanted: { line: null, at: 0, event: null, fill: 'random', level: 'random', me: null, opened: null },
  }
  let asked = 0 // the number of the newest request
  let looking = false, again = false
  const set = (/** @type {Partial<Seen>} */ more) => {
    seen = { ...seen, ...more }
    show(seen)
  }
  const want = (/** @type {Partial<Wanted>} */ more) => set({ wanted: { ...seen.wanted, ...more } })

  /** Asks, and gives the answer if nothing else has been asked meanwhile. @param {string} path @param {object} body @returns {Promise<any>} */
  async function ask(path, body) {
    const n = ++asked
    try {
      const { answer, fault } = await post(`/api/dev/${path}`, body)
      if (n !== asked) return null
      set({ problem: '', fault: fault ?? null })
      return answer ?? null
    } catch (e) {
      if (n === asked) set({ problem: e instanceof Error ? e.message : String(e), busy: '' })
      return null
    }
  }

  /** Shows where one is. While an answer is on its way, only the newest wish waits for it. */
  async function look() {
    if (!seen.wanted.line) return
    if (looking) {
      again = true
      return
    }
    looking = true
    do {
      again = false
      const { line, at, event } = seen.wanted, position = await ask('look', { line, at, event })
      if (position) set({ position })
    } while (again)
    looking = false
    keep()
  }

  /** Keeps the line for when the page is loaded again. */
  function keep() {
    const { line, at, fill, level, me, opened } = seen.wanted
    if (!line) return
    const { seed, options } = line, address = new URLSearchParams({ seed: String(seed), options })
    history.replaceState(null, '', `?${address}`)
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ game: seen.status?.game?.name, line, at, fill, level, me, opened }))
    } catch { /* then it begins anew */ }
  }

  /**
   * Lets bots go on from here: till their match is over, or somebody else is asked.
   * @param {Line} line @param {number} at @param {string} level @param {number[] | null} seats
   */
  async function bots(line, at, level, seats) {
    set({ busy: level === 'random' ? 'Playing …' : 'The bots are thinking …' })
    const body = { line, at, level, seats }
    for (;;) {
      /** @type {Went | null} */
      const went = await ask('bots', body)
      if (!went) break
      Object.assign(body, { line: went.line, at: went.line.acts.length })
      want({ line: went.cut ? { ...went.line, acts: [...went.line.acts, ...(went.cut.act ? [went.cut.act] : [])] } : went.line })
      if (!went.more) break
    }
    set({ busy: '' })
  }

  /** Begins a match, and fills it if one likes. @param {string} options @param {number} seed */
  async function begin(options, seed) {
    const line = blank(options, seed), { fill, level, me } = seen.wanted
    want({ line, at: 0, event: null, opened: null })
    if (me !== null) {
      await bots(line, 0, level, others(me))
      want({ at: null }) // the first decision of one's own
    } else if (fill) await bots(line, 0, fill, null)
    await look()
  }

  /** The seats of the bots. @param {number} me */
  function others(me) {
    const n = seen.position?.names.length ?? 10
    return Array.from({ length: n }, (_, p) => p).filter(p => p !== me)
  }

  /** @param {Status} status */
  async function heard(status) {
    const before = seen.status
    set({ status, here: true })
    if (before && before.looks !== status.looks) return location.reload() // its modules are loaded but once
    if (status.state !== 'ready' || !status.game) return
    if (before?.state === 'ready' && before.version === status.version) return
    if (seen.position && seen.position.version !== status.version) want({ opened: null }) // it may be mended
    if (seen.wanted.line) return look()
    const { game, line, at, fill = 'random', level = 'random', me = null, opened = null } = kept()
    const seed = query.get('seed'), options = query.get('options')
    const same = game === status.game.name && line && (seed === null || Number(seed) === line.seed) && (options ?? line.options) === line.options
    if (same) {
      want({ line, at, fill, level, me, opened })
      return look()
    }
    const given = Number(seed), isSeed = seed !== null && Number.isInteger(given) && given >= 0
    return begin(options ?? status.game.usual, isSeed ? given : 1)
  }

  const source = new EventSource('/api/dev/status')
  source.onmessage = e => heard(JSON.parse(e.data))
  source.onerror = () => set({ here: false })

  /** To a position of the line. @param {number | null} at @param {number | null} [event] */
  const go = (at, event = null) => {
    want({ at, event })
    return look()
  }
  const last = () => seen.position?.line.acts.length ?? 0
  /** Where one is, or will be when the server has answered. */
  const here = () => Math.min(last(), seen.wanted.at ?? last())

  return {
    go, look, begin,
    /** One step on or back. @param {number} by */
    step: by => go(Math.max(0, Math.min(last(), here() + by))),
    /** One event on or back, also into the action before or after. @param {number} by */
    async stepEvent(by) {
      const now = seen.position
      if (!now || looking) return
      const n = now.events.length, event = (now.event ?? n + 1) + by
      if (event >= 1 && event <= n) return go(now.at, event)
      if (event < 1) return go(Math.max(0, now.at - 1))
      if (now.event !== null) return go(now.at)
      return now.at < last() ? go(now.at + 1, 1) : undefined
    },
    home: () => go(0),
    end: () => go(null),
    /** Does something here, in place of what came after. @param {Act} act */
    async choose(act) {
      const now = seen.position
      const { me, level } = seen.wanted
      if (!now || now.event !== null || !maySay(now, me)) return
      const line = { ...now.line, acts: [...now.line.acts.slice(0, now.at), act] }
      want({ line, at: line.acts.length, event: null, opened: null })
      await look()
      if (me === null) return
      await bots(line, line.acts.length, level, others(me))
      await look() // what the bots did is after it, to be looked at step by step
    },
    /** To the next decision of the seat that one plays; bots go on if they have not come to it. */
    async toMine() {
      const now = seen.position, { me, level } = seen.wanted
      if (!now || me === null) return
      const next = now.line.acts.findIndex((x, k) => k > now.at && x.seat === me)
      if (next >= 0) return go(next)
      await bots(now.line, now.line.acts.length, level, others(me))
      return go(null)
    },
    /** Lets bots play on from here to the end. @param {string} level */
    async playOn(level) {
      const now = seen.position
      if (!now) return
      want({ fill: level, opened: null })
      await bots(now.line, now.at, level, null)
      await look()
    },
    /** Begins this match, and lets nobody play. */
    async fromStart() {
      const { line } = seen.wanted
      want({ fill: '', me: null })
      if (line) await begin(line.options, line.seed)
    },
    /** @param {string} level */
    async setLevel(level) {
      want({ level })
      keep()
    },
    /** Stops bots after their present decision. */
    async stop() {
      asked += 1
      set({ busy: '' })
      await look()
    },
    /** Opens what a check found, at its end. @param {CheckFailure} opened */
    open(opened) {
      want({ line: opened.line, me: null, opened })
      return go(null)
    },
    /** The seat that one plays. The line stays: bots play what comes after it. @param {number | null} me */
    async play(me) {
      want({ me })
      const now = seen.position, { line, level } = seen.wanted
      if (!now || !line || me === null || now.over || line.acts.length > now.line.acts.length) return keep()
      want({ at: now.at })
      await bots(now.line, now.line.acts.length, level, others(me))
      await look()
    },
    check: () => post0('checks'), stopChecks: () => post0('checks/stop'),
  }
}

/** Whether one decides in a position, who plays the seat `me`, or all. @param {Position} position @param {number | null} me */
export const maySay = ({ to_act }, me) => me === null || to_act === me

/** Something that has no answer; the status tells what came of it. @param {string} path */
const post0 = path => fetch(`/api/dev/${path}`, { method: 'POST' })
