/** What we use of htm; ours, see README.md. */
import type { VNode } from './preact.js'
declare const htm: {
  bind(h: unknown): (strings: TemplateStringsArray, ...values: any[]) => VNode
}
export default htm
