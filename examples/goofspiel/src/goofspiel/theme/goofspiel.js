/** The looks of Goofspiel: the only place that knows its cards and events by name. */
export default {
  css: ['/web/theme/goofspiel.css'],
  icon: ({ tone }) => (tone === 'prize' ? 'trophy' : ''),
  tile: [
    { name: '7', tone: 'card', value: '7' },
    { name: '13', tone: 'prize', value: '13' },
    { name: '11', tone: 'card', value: '11' },
  ],
  events: {
    TURNED: { heading: 'text' },
    TOOK: { icon: 'trophy', tone: 'good', toast: true },
    TIED: { icon: 'scale', toast: true },
  },
}
