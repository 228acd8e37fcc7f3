// @ts-check
/**
 * The looks of War Zone; the only place that knows its cards and events by name.
 * @import { Theme } from '../types'
 */

/** Pictograms by the names of the cards, so that a deck of one's own keeps what it has in common. */
const ICONS = {
  'Infantry Fire': 'infantry_fire',
  'Reinforcements': 'reinforcements',
  'Artillery': 'artillery',
  'Air Raid': 'air_raid',
  'Sabotage': 'sabotage',
  'Sniper': 'sniper',
  'Grenade': 'grenade',
  'Tank Assault': 'tank',
  'Flamethrower': 'flamethrower',
  'Poison Gas': 'poison_gas',
  'Barbed Wire': 'barbed_wire',
  'Machine Gun': 'machine_gun',
  'Trench': 'trench',
  'Smoke Screen': 'smoke_screen',
  'Anti-Aircraft Gun': 'aa_gun',
  'Gas Mask': 'gas_mask',
}
const BY_TONE = { attack: 'hit', defence: 'block' }

/** @type {Omit<Theme, 'game'>} */
const theme = {
  emblem: 'war_zone',
  css: ['/web/theme/war_zone.css'],
  icon: ({ name, tone }) => (
    ICONS[/** @type {keyof ICONS} */ (name)] || BY_TONE[/** @type {keyof BY_TONE} */ (tone)] || ''
  ),
  unit: ({ tone }) => (tone === 'attack' ? 'hit' : ''),
  points: 'heart',
  ask: { plaque: 'who is hit?' },
  tile: [
    { name: 'Air Raid', tone: 'attack', value: '4' },
    { name: 'Barbed Wire', tone: 'defence' },
    { name: 'Artillery', tone: 'attack', value: '4' },
  ],
  chips: {
    'turn': { icon: 'flag', tone: 'brass' },
    'under attack': { icon: 'hit', tone: 'accent' },
    'out': { icon: 'skull' },
    'winner': { icon: 'trophy', tone: 'brass' },
  },
  events: {
    STARTS: { heading: true },
    BLOCKED: { icon: 'block', tone: 'good', toast: true },
    HIT: { icon: 'heart', tone: 'bad' },
    GAINED: { icon: 'plus', tone: 'good' },
    OUT: { icon: 'skull', tone: 'bad', toast: true },
    RESHUFFLED: { icon: 'swirl', toast: true },
    RELIEVED: { icon: 'swirl', toast: true },
    DEPLETED: { icon: 'bell', toast: true },
    LIGHTNING: { icon: 'hit', toast: true },
    WON: { icon: 'trophy', toast: true },
  },
}
export default theme
