/** The looks of Cribbage: what only the browser needs. */
export default {
  css: ['/web/theme/cribbage.css'],
  tile: [
    { name: '5♥', tone: 'hearts', value: '5♥' },
    { name: 'J♠', tone: 'spades', value: 'J♠' },
    { name: '5♦', tone: 'diamonds', value: '5♦' },
  ],
  events: {
    DEALT: { heading: 'text' },
    COUNTED: { tone: 'good', toast: true },
    HEELS: { tone: 'good', toast: true },
    GO: { toast: true },
  },
}
