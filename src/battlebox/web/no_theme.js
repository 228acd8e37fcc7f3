// @ts-check
/** What the server gives for the theme of a game that brings none: it is drawn plainly. */
export default {}
