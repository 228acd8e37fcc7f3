// @ts-check
/**
 * The looks of Medieval; the only place that knows its cards and events by name.
 * @import { Theme } from '../types'
 */

/** Pictograms by the names of the cards, so that a deck of one's own keeps what it has in common. */
const ICONS = {
  'Peasant': 'peasant',
  'Levy': 'levy',
  'Archer': 'archer',
  'Spearman': 'spearman',
  'Man-at-Arms': 'man_at_arms',
  'Crossbowman': 'crossbowman',
  'Rider': 'rider',
  'Knight': 'knight',
  'Champion': 'champion',
  'Black Knight': 'black_knight',
  'Scout': 'scout',
  'Squire': 'squire',
  'Herald': 'herald',
  'Sergeant': 'sergeant',
  'Bishop': 'bishop',
  'Queen': 'queen',
  'King': 'king',
  'Battle Cry': 'battle_cry',
  'Foul Weather': 'foul_weather',
  'Royal Banner': 'royal_banner',
  'Plague': 'plague',
  'Ambush': 'ambush',
  'Pit Trap': 'pit_trap',
  'Assassin': 'assassin',
  'Feint': 'feint',
  'Spy': 'eye',
}
const BY_TONE = { fighter: 'levy', character: 'flag', event: 'bell' }

/** @type {Omit<Theme, 'game'>} */
const theme = {
  emblem: 'medieval',
  css: ['/web/theme/medieval.css'],
  icon: ({ name, tone }) => (
    ICONS[/** @type {keyof ICONS} */ (name)] || BY_TONE[/** @type {keyof BY_TONE} */ (tone)] || ''
  ),
  points: 'heart',
  ask: { lay: 'in which column?', column: 'and which other column?' },
  tile: [
    { name: 'Knight', tone: 'fighter', value: '8' },
    { name: 'King', tone: 'character', value: '10' },
    { name: 'Squire', tone: 'fighter', value: '2' },
  ],
  chips: {
    'has placed': { icon: 'check' },
    'has placed face up': { icon: 'eye' },
    'spied on': { icon: 'eye', tone: 'brass' },
    'winner': { icon: 'trophy', tone: 'brass' },
  },
  events: {
    BATTLE: { heading: 'text' },
    BESIDE: { icon: 'flag' },
    SWAPPED: { icon: 'feint' },
    KILLED: { icon: 'skull', tone: 'bad' },
    SAVED: { icon: 'bishop' },
    WON_COLUMN: { icon: 'hit' },
    TIED: { icon: 'scale', toast: true },
    DEADLOCKED: { icon: 'skull', tone: 'bad', toast: true },
    RESHUFFLED: { icon: 'swirl', toast: true },
    OUT: { icon: 'skull', tone: 'bad' },
    WON: { icon: 'trophy', toast: true },
    DRAWN: { icon: 'scale', toast: true },
  },
}
export default theme
