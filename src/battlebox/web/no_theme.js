// @ts-check
/** What the server gives for the theme of a game that brings none: plain.js has its looks. */
export default { isPlain: true }
