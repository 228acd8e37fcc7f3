/** What we use of preact's hooks; ours, see README.md. */
export interface Ref<T> { current: T }
export function useState<S>(first: S | (() => S)): [S, (next: S | ((now: S) => S)) => void]
export function useEffect(run: () => void | (() => void), on?: unknown[]): void
export function useLayoutEffect(run: () => void | (() => void), on?: unknown[]): void
export function useRef<T>(first: T): Ref<T>
export function useRef<T>(): Ref<T | undefined>
export function useMemo<T>(make: () => T, on: unknown[]): T
export function useCallback<F>(f: F, on: unknown[]): F
