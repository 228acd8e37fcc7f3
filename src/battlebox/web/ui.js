// @ts-check
/** One place from which every module takes preact, its hooks and the `html` tag. */
import htm from './vendor/htm.js'
import { useEffect, useState } from './vendor/hooks.js'
import { h } from './vendor/preact.js'

export { Component, Fragment, render } from './vendor/preact.js'
export {
  useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState,
} from './vendor/hooks.js'

/** Markup as in JSX, without a build step. */
export const html = htm.bind(h)

/**
 * A module that is wanted `soon`: loaded when there is nothing else to do, or at once if it is needed `now`. Null
 * until it is there; where that fails it is tried again when `now` has changed.
 * @template T @param {() => Promise<T>} load @param {boolean} soon @param {boolean} now @returns {T | null}
 */
export function useLoaded(load, soon, now) {
  const [found, setFound] = useState(/** @type {T | null} */ (null))
  useEffect(() => {
    const get = () => { load().then(setFound, () => {}) }
    if (!soon || found) return
    if (now) get()
    else (window.requestIdleCallback ?? setTimeout)(get)
  }, [soon, now])
  return found
}
