// @ts-check
/** Where the server's pages lie on its host: everything, or a folder of a proxy's. */

/** "/", or "/games/": the modules lie in the folder "web" below it. */
export const BASE = new URL('../', import.meta.url).pathname

/** The full path of what docs/protocol.md calls by `path`, as in "/match/ID". @param {string} path */
export const to = path => BASE + path.slice(1)

/** The same as a whole address, to be given to others. @param {string} path */
export const urlTo = path => location.origin + to(path)

/** The segments of a full path, below the base. @param {string} path @returns {string[]} */
export const segments = path => (
  path.slice(`${path}/`.startsWith(BASE) ? BASE.length : 1).split('/').filter(Boolean).map(decodeURIComponent)
)
