// @ts-check
/** Finds the looks of a game. @import { Theme } from './types' */

import { to } from './place.js'

/** @type {Map<string, Promise<Theme>>} */
const known = new Map()

/** What themes begin with. @param {string} game @returns {Theme} */
export const plain = game => ({ game, emblem: 'mark', icon: () => '', events: {} })

/** @param {string} game @returns {Promise<Theme>} */
export function loadTheme(game) {
  let theme = known.get(game)
  if (!theme) known.set(game, theme = find(game))
  return theme
}

/** @param {string} game @returns {Promise<Theme>} */
async function find(game) {
  if (!/^\w+$/.test(game)) return plain(game)
  try {
    const found = (await import(`./theme/${game}.js`)).default
    const usual = found.isPlain ? await (await import('./plain.js')).looksOf(game) : plain(game)
    const css = [...usual.css || [], ...found.css || []]
    await Promise.all(css.map(addStyle))
    return { ...plain(game), ...usual, ...found, css }
  } catch (error) {
    console.error(error)
    return plain(game)
  }
}

/** Sheets in their order, whichever way one comes to a page; the looks of a game last. */
const ORDER = ['/pages.css', '/rules.css', '/end.css', '/replay.css', '/match.css', '/places.css', '/board.css', '/moves.css', '/playbar.css']

/** @param {string} href */
const rankOf = href => ORDER.findIndex(x => href.endsWith(x)) + 1 || ORDER.length + 1

/**
 * Adds a style sheet once; done when it is there, so that nothing is drawn without it.
 * @param {string} path
 */
export function addStyle(path) {
  const href = to(path)
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve()
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  const added = [...document.head.querySelectorAll('link[data-added]')]
  link.dataset.added = ''
  document.head.insertBefore(link, added.find(x => rankOf(x.getAttribute('href') || '') > rankOf(href)) || null)
  return new Promise(done => {
    link.onload = () => done(undefined)
    link.onerror = () => done(undefined)
  })
}
