// @ts-check
/**
 * The looks of Battleball; the only place that knows its words by name.
 * @import { Theme } from '../types'
 */

/** @type {Omit<Theme, 'game'>} */
const theme = {
  emblem: 'battleball',
  css: ['/web/theme/battleball.css'],
  picture: '/web/theme/battleball.svg',
  icon: () => '',
  list: { cell: 'List squares', pawn: 'List pieces' },
  ask: { cell: 'where?' },
  marks: {
    wolf: 'M8 5l10 9h12l10-9v20c0 9-8 18-16 18S8 34 8 25z',
    hart: 'M21 43l-8-19C6 20 4 12 7 4c2 6 5 9 9 10l1-6 7 9 7-9 1 6c4-1 7-4 9-10 3 8 1 16-6 20l-8 19z',
  },
  chips: {
    'turn': { icon: 'flag', tone: 'brass' },
    'has the ball': { icon: 'battleball' },
    'winner': { icon: 'trophy', tone: 'brass' },
  },
  events: {
    TURN: { heading: true },
    HALF: { heading: 'text', icon: 'flag', banner: true },
    ROLLED: { icon: 'die' },
    FOOTBALL_DIE: { icon: 'die' },
    TACKLED: { icon: 'hit' },
    INJURED: { icon: 'cross', tone: 'bad' },
    SERIOUSLY_INJURED: { icon: 'skull', tone: 'bad', toast: true },
    PICKED_UP: { icon: 'battleball', tone: 'good' },
    GOT_BALL: { icon: 'battleball' },
    FUMBLED: { icon: 'battleball', tone: 'bad', toast: true },
    MALFUNCTIONED: { icon: 'swirl', tone: 'bad', toast: true },
    INCOMPLETE: { icon: 'battleball', toast: true },
    HALTED: { icon: 'bell', toast: true },
    RESTARTED: { icon: 'swirl', toast: true },
    TOUCHDOWN: { icon: 'trophy', tone: 'good', banner: true },
    TOSSED: { icon: 'die', toast: true },
  },
}
export default theme
