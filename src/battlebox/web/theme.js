// @ts-check
/** Finds the looks of a game. A game without any is drawn plainly. @import { Theme } from './types' */

import { to } from './place.js'

/** @type {Map<string, Promise<Theme>>} */
const known = new Map()

/** Looks for a game that has none of its own. @param {string} game @returns {Theme} */
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
    const theme = { ...plain(game), ...(await import(`./theme/${game}.js`)).default }
    await Promise.all((theme.css || []).map(addStyle))
    return theme
  } catch {
    return plain(game)
  }
}

/**
 * Adds a style sheet once; done when it is there, so that nothing is drawn without it.
 * @param {string} path
 */
export function addStyle(path) {
  const href = to(path)
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve()
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  document.head.append(link)
  return new Promise(done => {
    link.onload = () => done(undefined)
    link.onerror = () => done(undefined)
  })
}
