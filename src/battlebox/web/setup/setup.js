// @ts-check
/** How a match is set up: from a game of GET /api/games to the body of POST /api/matches; pure functions. */

/**
 * A field of the options' JSON schema.
 * @typedef {{title?: string, description?: string, type?: string, default?: any, minimum?: number,
 *   maximum?: number, enum?: any[], examples?: any[], anyOf?: Field[], $ref?: string, group?: string,
 *   names?: Record<string, string>, seat?: boolean}} Field
 * @typedef {{name: string, about: string, options: Record<string, any>}} Mode
 * @typedef {{name: string, title: string, about: string, players: [number, number], levels: string[], lessons: number,
 *   human_defaults: Record<string, any>, modes: Mode[],
 *   options: {properties: Record<string, Field>, $defs?: Record<string, Field>}}} Game
 *
 * `seats`: "you", "open" or a bot's level; `changes`: options other than the mode's.
 * @typedef {{mode: string, seats: string[], changes: Record<string, any>}} Setup
 */

/** Of levels, the weakest first, the one for a bot that nobody has chosen. @param {string[]} levels */
export const medium = levels => levels[2]

/** @param {Game} game */
const usual = game => medium(game.levels) ?? 'open'

/** @param {Game} game @param {string} name */
export const modeOf = (game, name) => game.modes.find(m => m.name === name) ?? game.modes[0]

/** @param {Game} game @param {number} n */
const within = (game, n) => Math.max(game.players[0], Math.min(game.players[1], n))

/** What an option is if nobody changes it. @param {Game} game @param {string} mode @param {string} key */
export const usually = (game, mode, key) => (
  modeOf(game, mode)?.options[key] ?? game.human_defaults[key] ?? game.options.properties[key]?.default
)

/**
 * The set-up of last time, as far as the game still has all that; the usual one else.
 * @param {Game} game
 * @param {Record<string, any>} last
 * @returns {Setup}
 */
export function begin(game, last) {
  const mode = modeOf(game, String(last.mode))?.name ?? ''
  const known = ['you', 'open', ...game.levels]
  /** @type {string[]} */
  const seats = Array.isArray(last.seats) && last.seats.every(s => known.includes(s)) ? last.seats : []
  const changes = Object.fromEntries(Object.entries(last.changes ?? {})
    .filter(([key]) => key in game.options.properties))
  const n = seats.length || Number(usually(game, mode, 'players')) || game.players[0]
  return withPlayers(game, { mode, seats: seats.length ? seats : ['you'], changes }, n)
}

/** @param {Game} game @param {Setup} setup @param {number} n @returns {Setup} */
export function withPlayers(game, setup, n) {
  const many = within(game, n)
  const seats = setup.seats.slice(0, many)
  const bot = seats.findLast(s => game.levels.includes(s)) ?? usual(game)
  while (seats.length < many) seats.push(bot)
  if (setup.seats.includes('you') && !seats.includes('you')) seats[0] = 'you'
  const isThere = (/** @type {[string, any]} */ [key, value]) => value <= (most(game.options.properties[key], many) ?? value)
  return { ...setup, seats, changes: Object.fromEntries(Object.entries(setup.changes).filter(isThere)) }
}

/** The most that an option may be: where it is a seat, the last one of those who play.
 * @param {Field | undefined} field @param {number} players */
export const most = (field, players) => field?.seat ? players - 1 : field?.maximum

/** @param {Game} game @param {Setup} setup @param {string} name @returns {Setup} */
export function withMode(game, setup, name) {
  const options = modeOf(game, name)?.options ?? {}
  const changes = Object.fromEntries(Object.entries(setup.changes).filter(([key]) => !(key in options)))
  const next = { ...setup, mode: name, changes }
  return 'players' in options ? withPlayers(game, next, Number(options.players)) : next
}

/**
 * Another player on a seat. I sit on one seat only: the one who sat there takes mine.
 * @param {Game} game @param {Setup} setup @param {number} seat @param {string} who
 * @returns {Setup}
 */
export function withSeat(game, setup, seat, who) {
  const seats = [...setup.seats], mine = seats.indexOf('you')
  if (who === 'you' && mine >= 0) seats[mine] = seats[seat] ?? usual(game)
  seats[seat] = who
  return { ...setup, seats }
}

/** @param {Game} game @param {Setup} setup @param {string} key @param {any} value @returns {Setup} */
export function withOption(game, setup, key, value) {
  const { [key]: _, ...changes } = setup.changes
  const same = value === undefined || value === usually(game, setup.mode, key)
  return { ...setup, changes: same ? changes : { ...changes, [key]: value } }
}

/** With a seat for a friend, and one for me. @param {Setup} setup @returns {string[]} */
export function inviting(setup) {
  const seats = [...setup.seats]
  if (!seats.includes('you')) seats[0] = 'you'
  if (!seats.includes('open')) seats[seats.findIndex(s => s !== 'you')] = 'open'
  return seats
}

/** Bots only. @param {Game} game @param {Setup} setup @returns {string[]} */
export function watching(game, setup) {
  const bot = setup.seats.find(s => game.levels.includes(s)) ?? usual(game)
  return setup.seats.map(s => game.levels.includes(s) ? s : bot)
}

/**
 * @param {Game} game
 * @param {Setup} setup
 * @param {{name: string, seats?: string[], deck?: string, seed?: number | null, delay?: number}} more
 */
export function request(game, setup, { name, seats = setup.seats, deck = '', seed = null, delay = 0 }) {
  const options = {
    ...game.human_defaults, ...modeOf(game, setup.mode)?.options, ...setup.changes, players: seats.length,
  }
  const { mode } = setup
  return { game: game.name, mode, options, seats, ...(name && { name }), deck: deck || null, seed, delay }
}

/** "2 to 6 players". @param {Game} game */
export const players = ({ players: [few, many] }) => (
  few === many ? `${few} players` : `${few} to ${many} players`
)
