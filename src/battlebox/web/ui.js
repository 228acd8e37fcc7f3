// @ts-check
/** One place from which every module takes preact, its hooks and the `html` tag. */
import htm from './vendor/htm.js'
import { h } from './vendor/preact.js'

export { Component, Fragment, render } from './vendor/preact.js'
export {
  useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState,
} from './vendor/hooks.js'

/** Markup as in JSX, without a build step. */
export const html = htm.bind(h)
