// @ts-check
/**
 * The looks of the Iron Man Game of War; the only place that knows its cards and events by name.
 * @import { Theme } from '../types'
 */

/** Pictograms by the names of the cards, so that a deck of one's own keeps what it has in common. */
const ICONS = {
  'Pulse Bolt': 'power1',
  'Gauntlet Strike': 'power2',
  'Flight Charge': 'power3',
  'Twin Cannon': 'power4',
  'Full Thrust': 'power5',
  'Final Attack': 'final_attack',
  'Energy Shield': 'energy_shield',
  'Upgrade': 'upgrade',
  'Missile Barrage': 'missile',
  'Power Drain': 'drain',
  'Resupply': 'resupply',
  'Salvage': 'salvage',
  'Jamming Signal': 'jamming',
}
const BY_TONE = { power: 'hit', special: 'final_attack' }

/** @type {Omit<Theme, 'game'>} */
const theme = {
  emblem: 'iron_man',
  css: ['/web/theme/iron_man.css'],
  icon: ({ name, tone }) => (
    ICONS[/** @type {keyof ICONS} */ (name)] || BY_TONE[/** @type {keyof BY_TONE} */ (tone)] || ''
  ),
  picture: '/web/theme/iron_man.svg',
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
