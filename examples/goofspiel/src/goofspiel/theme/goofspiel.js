/** The looks of Goofspiel: the only place that knows its cards and events by name. */
export default {
  css: ['/web/theme/goofspiel.css'],
  icon: ({ tone }) => (tone === 'prize' ? 'trophy' : ''),
  tile: [
    { name: 'Bid', tone: 'bid', value: '7' },
    { name: 'Prize', tone: 'prize', value: '13' },
    { name: 'Bid', tone: 'bid', value: '11' },
  ],
  chips: {
    'has bid': { icon: 'check' },
    'winner': { icon: 'trophy', tone: 'brass' },
  },
  events: {
    TURNED: { heading: 'text' },
    TOOK: { icon: 'trophy', tone: 'good', toast: true },
    LOST: { icon: 'scale', toast: true },
    CARRIED: { icon: 'scale', toast: true },
    WON: { icon: 'trophy', toast: true },
    DRAWN: { icon: 'scale', toast: true },
  },
}
