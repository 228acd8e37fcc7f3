// @ts-check
/** Who sits where, in words. */
/** @import { RoomMessage } from './protocol' */
/** @import { Scene } from './types' */

/** The letter on a seat's mark. @param {number} seat */
export const letterOf = seat => 'ABCDEFGHIJ'[seat] || '?'

/**
 * What a seat is called; "Seat B" where nobody sits yet.
 * @param {RoomMessage | null} room
 * @param {number | null} seat
 */
export function seatName(room, seat) {
  if (seat === null) return ''
  return room?.seats[seat]?.name || `Seat ${letterOf(seat)}`
}

/**
 * What is to say about the player of a seat: "you", "bot, medium", "away".
 * @param {RoomMessage} room
 * @param {number} seat
 */
export function seatNote(room, seat) {
  const s = room.seats[seat]
  if (!s) return ''
  if (s.kind === 'open') return 'open seat'
  if (s.resigned) return s.kind === 'bot' ? 'gave up, a bot plays on' : 'gave up'
  if (seat === room.you) return 'you'
  if (s.kind === 'bot') return s.level ? `bot, ${s.level}` : 'bot'
  if (s.replaced) return 'away, a bot plays'
  return s.here ? 'here' : 'away'
}

/**
 * Whom the match waits for, in words; '' if for the viewer or nobody.
 * @param {RoomMessage} room
 * @param {Scene} scene
 */
export function waitingFor(room, scene) {
  if (scene.over || room.end) return ''
  if (room.preparing) return 'The bots are getting ready'
  if (scene.to_act === null) return 'Waiting for the others'
  if (scene.to_act === scene.viewer) return ''
  const s = room.seats[scene.to_act], name = seatName(room, scene.to_act)
  if (s?.kind === 'bot' || s?.replaced) return `${name} is thinking`
  if (s?.kind === 'open') return `Waiting for someone to take seat ${letterOf(scene.to_act)}`
  return `Waiting for ${name}` + (s && !s.here ? ', who is away' : '')
}

/** Everybody but the viewer, by name. @param {RoomMessage} room @returns {string[]} */
export const othersOf = room => room.seats.filter(s => s.seat !== room.you).map(s => seatName(room, s.seat))

/** What a browser keeps of a match, to tell it from others. @param {RoomMessage} room */
export const keptOf = room => ({ game: room.game, title: room.title, mode: room.mode, others: othersOf(room) })
