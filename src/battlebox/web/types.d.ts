/**
 * What the page makes of the protocol's messages, and what is the page's own. The messages stand in protocol.d.ts,
 * which is made of the server's models.
 */
import type {
  BenchFacts, ColumnFacts, DiceFacts, DuelFacts, EventInfo, FanFacts, GridFacts, LineFacts, NumbersFacts, PickerFacts, PileFacts,
  PlacementInfo, PlaqueFacts, RefusalInfo, RingFacts, RowFacts, SceneMessage, ScoreFacts, StandingsFacts,
} from './protocol'

/** As core/scene.py has it. */
export interface Piece {
  id: string
  label: string
  kind: string
  code: string
  name: string
  value: string
  text: string
  tone: string
  count: number
}

export interface Zone {
  id: string
  kind: string
  label: string
  owner: number | null
  /** `hand`: what its owner holds, and may play. */
  role?: string
  pieces: Piece[]
  facts: Record<string, any>
}

/** What zones of each kind are drawn from. */
export interface Kinds {
  plaque: PlaqueFacts
  ring: RingFacts
  standings: StandingsFacts
  numbers: NumbersFacts
  fan: FanFacts
  pile: PileFacts
  row: RowFacts
  picker: PickerFacts
  line: LineFacts
  duel: DuelFacts
  column: ColumnFacts
  grid: GridFacts
  dice: DiceFacts
  score: ScoreFacts
  bench: BenchFacts
}

/** A zone of a kind. */
export type ZoneOf<K extends string> = Zone & { facts: K extends keyof Kinds ? Kinds[K] : Record<string, any> }

export interface Choice {
  action: number
  word: string
  label: string
  sub: string
  path: string[]
  tone: string
  rules: string[]
  /** Points of zones after this choice, by zone id, where that is certain. */
  then?: Record<string, number>
  /** The path is pairs of a piece and the place where it is laid; they may be said in any order. */
  any_order?: boolean
}

/** A scene, each piece and choice of it by itself. */
export interface Scene extends Omit<SceneMessage, 'templates' | 'zones' | 'choices' | 'refusals' | 'placements'> {
  zones: Zone[]
  choices: Choice[]
  refusals?: Required<RefusalInfo>[]
  /** Absent where there are none. */
  placements?: PlacementInfo[]
}

/** An event, with its sentence; '' where there is none. */
export type EventView = EventInfo & { text: string }

/** A frame, or an intermediate view on the way to it, as it is shown: with the whole list of what was told up to it. */
export interface Shown {
  run: string
  n: number
  /** How many pictures of the same frame are still to come. */
  rest: number
  /** The name of what the viewer is asked; '': nothing. */
  question: string
  scene: Scene
  told: EventView[]
  /** How many of `told`, at the end, came with this frame. */
  fresh: number
  undo: boolean
  countdown: RunningCountdown | null
}

/** All wait: `of` seconds in all. `ends`: by the clock of `performance.now()`. */
export interface RunningCountdown {
  of: number
  ends: number
}

/** What a module in theme/ says about the looks of one game. All of it may be left out. */
export interface Theme {
  game: string
  /** The pictogram of the game. */
  emblem: string
  /** Style sheets of its own. */
  css?: string[]
  /** The pictogram of a piece. */
  icon(piece: Piece): string
  /** What stands on a piece that has no pictogram. */
  sign?(piece: Piece): string
  /** Colours of a piece, as properties of its style. */
  paint?(piece: Piece): Record<string, string | number>
  /** What is left out is as in games that bring no theme: colours by kind, first letters. */
  isPlain?: boolean
  /** The unit behind a piece's value. */
  unit?(piece: Piece): string
  /** The sign of what a dial counts. */
  points?: string
  /** `heading`: the log begins a new part with it: a turn, or what the event says. */
  events: Record<string, { icon?: string, tone?: string, toast?: boolean, banner?: boolean, heading?: true | 'text' }>
  /** Pieces that stand for the game in the box. */
  tile?: (Pick<Piece, 'name' | 'tone'> & { value?: string })[]
  /** Or a drawing that does. */
  picture?: string
  /** Looks of the chips on a plaque, by their words. */
  chips?: Record<string, { icon?: string, tone?: string }>
  /** Crests of sides by their tone, in the order of seats, as paths in a box of 48. */
  marks?: Record<string, string>
  /** What a long list of choices is called, by what they begin with: a kind of piece or zone. */
  list?: Record<string, string>
  /** What one may note of a seat whose card lies face down, one after the other. */
  notes?: { text: string, icon: string, tone: string }[]
  /** Questions that may be declined once for all, by their phase: "Never play SAVE". */
  never?: Record<string, string>
  /** How a target is asked for, by the kind of zone or "piece"; "lay": where a piece is to lie. */
  ask?: Record<string, string>
}

/** What every page module gets. */
export interface PageProps {
  path: string[]
  hash: string
  go: (url: string, replace?: boolean) => void
}
