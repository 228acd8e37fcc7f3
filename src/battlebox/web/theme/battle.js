// @ts-check
/**
 * The looks of Battle; the only place that knows its cards and events by name.
 * @import { Theme } from '../types'
 */

const ICONS = {
  'Skip': 'skip',
  'Reverse': 'reverse',
  'New Battle': 'new_battle',
  'Eliminate': 'eliminate',
  'Save': 'save',
  'Expose': 'eye',
  'Battle': 'battle',
  'Superhero': 'hero',
  'Villain': 'villain',
}

/** @type {Omit<Theme, 'game'>} */
const theme = {
  emblem: 'battle',
  css: ['/web/theme/battle.css'],
  icon: ({ name }) => ICONS[/** @type {keyof ICONS} */ (name)] || '',
  ask: { plaque: 'whom?', pile: 'onto the discard pile?', number: 'how many?' },
  tile: [
    { name: 'Villain', tone: 'villain' },
    { name: '7', tone: 'fight', value: '7' },
    { name: 'Superhero', tone: 'hero' },
  ],
  never: { SV: 'Never play Save', WI: 'Never between turns' },
  notes: [
    { text: 'unsure', icon: 'unknown', tone: 'unsure' },
    { text: 'superhero', icon: 'hero', tone: 'hero' },
    { text: 'villain', icon: 'villain', tone: 'villain' },
  ],
  chips: {
    'turn': { icon: 'flag', tone: 'brass' },
    'leads': { icon: 'flag', tone: 'brass' },
    'in danger': { icon: 'eliminate', tone: 'accent' },
    'skipped': { icon: 'skip' },
    'out': { icon: 'skull' },
    'superhero': { icon: 'hero' },
    'villain': { icon: 'villain' },
    'dealer': { icon: 'cards' },
    'winner': { icon: 'trophy', tone: 'brass' },
  },
  events: {
    ROUND: { heading: 'text' },
    FLIPPED: { icon: 'cards' },
    BATTLE: { icon: 'battle', toast: true },
    RESET: { icon: 'undo' },
    SKIP: { icon: 'skip' },
    REVERSED: { icon: 'reverse', toast: true },
    NEW_BATTLE: { icon: 'new_battle', toast: true },
    EXPOSED: { icon: 'eye', toast: true },
    AIMED: { icon: 'eliminate', tone: 'bad', toast: true },
    SAVED: { icon: 'save', tone: 'good', toast: true },
    OUT: { icon: 'skull', tone: 'bad', toast: true },
    SHOWED: { icon: 'trophy', tone: 'good', toast: true },
    LEFT_ALONE: { icon: 'trophy', tone: 'good', toast: true },
    ROUND_VOID: { icon: 'scale', toast: true },
    UNMASKED: { icon: 'eye' },
    SCORED: { icon: 'plus', tone: 'good' },
    LOT: { icon: 'die' },
    WON: { icon: 'trophy', toast: true },
    DRAWN: { icon: 'scale', toast: true },
  },
}
export default theme
