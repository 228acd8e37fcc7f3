/** What the server of `battlebox dev` says: dev/messages.py has the same in Python. */
import type { SceneMessage } from '../protocol'

export interface Fault { what: string, where: string, hint: string, lines: { number: number, text: string, meant: boolean }[] }
export interface Act { seat: number | null, word: string }
export interface Line { options: string, seed: number, position: string, chance: (number | number[])[] | null, acts: Act[] }
export interface Cut { at: number, act: Act | null, fault: Fault, refused: boolean }
export interface Item { text: string, times: number, hidden: boolean, changed: boolean }
export interface Part { label: string, items: Item[] }
export interface FieldRow { name: string, visibility: string, about: string, changed: boolean, cells: Part[][] }
export interface Hearers { viewers: (number | null)[], event: string, said: string }
export interface EventRow { event: string, told: Hearers[] }
export interface ChoiceRow { seat: number | null, word: string, label: string, sub: string, rules: string[] }
export interface RefusalRow { what: string, why: string, rules: string[] }
export interface View { viewer: number | null, scene: SceneMessage | null, fault: Fault | null }

export interface Position {
  version: number
  line: Line
  cut: Cut | null
  stuck: Fault | null
  at: number
  by: Act | null
  event: number | null
  events: EventRow[]
  names: string[]
  phase: string
  to_act: number | null
  over: boolean
  returns: number[]
  position: string
  fields: FieldRow[]
  views: View[]
  choices: ChoiceRow[]
  refusals: RefusalRow[]
  rulebook: Record<string, string>
}

export interface Went { line: Line, more: boolean, cut: Cut | null }
export interface Draft { text: string, why_not: string }
export interface Saved { where: string, fails: string }
export interface CheckFailure { group: string, fault: Fault, line: Line | null, marked: string[] }

export interface Checks {
  state: 'none' | 'running' | 'done' | 'stopped'
  version: number
  done: number
  of: number
  now: string
  passed: string[]
  failures: CheckFailure[]
}

export interface GameInfo {
  name: string
  title: string
  folder: string
  options: { name: string, title: string, about: string, default: string }[]
  usual: string
  levels: string[]
  simulations: number[]
  saves: boolean
}

export interface Status {
  version: number
  state: 'loading' | 'ready' | 'broken'
  fault: Fault | null
  game: GameInfo | null
  looks: number
  checks: Checks
}
