// @ts-check
/**
 * The looks of the Iron Man Game of War; the only place that knows its cards and events by name.
 * @import { Theme } from '../types'
 */

/** Pictograms by the names of the cards, so that a deck of one's own keeps what it has in common. */
const ICONS = {
  'Pulse Bolt': 'hit',
  'Gauntlet Strike': 'hit',
  'Flight Charge': 'air_raid',
  'Twin Cannon': 'machine_gun',
  'Full Thrust': 'up',
  'Final Attack': 'artillery',
  'Energy Shield': 'block',
  'Upgrade': 'plus',
  'Missile Barrage': 'artillery',
  'Power Drain': 'minus',
  'Resupply': 'cards',
  'Salvage': 'undo',
  'Jamming Signal': 'swirl',
}
const BY_TONE = { power: 'hit', special: 'mark' }

/** A card as it lies in the box. @param {string} name @param {string} tone @param {string} [value] */
const card = (name, tone, value = '') => (
  { id: name, label: name, kind: 'card', code: '', name, value, text: '', tone, count: 1 }
)

/** @type {Omit<Theme, 'game'>} */
const theme = {
  emblem: 'mark',
  css: ['/web/theme/iron_man.css'],
  icon: ({ name, tone }) => (
    ICONS[/** @type {keyof ICONS} */ (name)] || BY_TONE[/** @type {keyof BY_TONE} */ (tone)] || ''
  ),
  points: 'flag',
  tile: [card('Twin Cannon', 'power', '4'), card('Energy Shield', 'special'), card('Full Thrust', 'power', '5')],
  chips: {
    'leads': { icon: 'up', tone: 'brass' },
    'behind': { icon: 'down', tone: 'accent' },
    'has chosen': { icon: 'check' },
    'has placed': { icon: 'check' },
    'winner': { icon: 'trophy', tone: 'brass' },
  },
  events: {
    ROUND: { heading: 'text' },
    TURNED: { icon: 'eye' },
    SHOWN: { icon: 'eye' },
    CANCELLED: { icon: 'cross', toast: true },
    STRUCK: { icon: 'block', tone: 'bad', toast: true },
    JAMMED: { icon: 'swirl', tone: 'bad', toast: true },
    SALVAGED: { icon: 'undo', tone: 'good' },
    RESUPPLIED: { icon: 'cards', tone: 'good' },
    RESHUFFLED: { icon: 'swirl' },
    STANDOFF: { icon: 'scale' },
    WON_BATTLE: { icon: 'flag', tone: 'good', toast: true },
    DREW_BATTLE: { icon: 'scale', toast: true },
    MOVED: { icon: 'up', tone: 'good', toast: true },
    STAYED: { icon: 'scale', toast: true },
    WON: { icon: 'trophy', toast: true },
    DRAWN: { icon: 'scale', toast: true },
  },
}
export default theme
