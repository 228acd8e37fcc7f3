/** What we use of preact; ours, see README.md. */
export interface VNode { type: any; props: any; key: any }
export type Child = VNode | string | number | boolean | null | undefined | Child[]
export type View<P = any> = (props: P) => Child
export function h(type: any, props: any, ...children: any[]): VNode
export function render(what: Child, into: Element): void
export const Fragment: View<{ children?: Child }>
export class Component<P = {}, S = {}> {
  constructor(props: P)
  props: P & { children?: Child }
  state: S
  setState(state: Partial<S>): void
  render(): Child
  componentDidCatch?(error: unknown): void
  componentDidUpdate?(before: P): void
}
