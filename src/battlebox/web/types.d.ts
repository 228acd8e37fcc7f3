/** The shapes of docs/protocol.md and core/scene.py. */

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
  pieces: Piece[]
  facts: Record<string, any>
}

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

/** Why a piece or a zone cannot be chosen now. */
export interface Refusal {
  id: string
  why: string
  rules: string[]
}

export interface Scene {
  viewer: number | null
  to_act: number | null
  phase: string
  title: string
  prompt: string
  zones: Zone[]
  choices: Choice[]
  over: boolean
  refusals?: Refusal[]
  /** To who is asked, where "Your turn" would not be true. */
  cue?: string
  placements?: Placement[]
}

/** Where pieces may be laid that are asked for one after the other; by the id of a place, what they take up there. */
export interface Placement {
  pieces: string[]
  places: Record<string, string[]>
}

export interface Told {
  turn: number
  event: string
  args: Record<string, number | null>
  text: string
}

export interface Frame {
  run: string
  n: number
  keep: number
  /** Whether this viewer's last action can be taken back, as far as the rules go. */
  undo: boolean
  told: Told[]
  scene: Scene
  moments?: Moment[]
  /** All wait so many seconds, and may have been asked something: nobody else is to notice. */
  hold?: { of: number, left: number }
}

/** `ends`: by the clock of `performance.now()`. */
export interface Hold {
  of: number
  ends: number
}

/** What was to be seen when so many events had been told; of zones as they were before, the ids. */
export interface Moment {
  told: number
  phase: string
  title: string
  prompt: string
  zones: (Zone | string)[]
}

/** A frame, or a moment on the way to it, as it is shown: with the whole list of what was told up to it. */
export interface Shown {
  run: string
  n: number
  /** How many pictures of the same frame are still to come. */
  rest: number
  scene: Scene
  told: Told[]
  /** How many of `told`, at the end, came with this frame. */
  fresh: number
  undo: boolean
  hold: Hold | null
}

export interface Seat {
  seat: number
  name: string
  kind: 'person' | 'open' | 'bot'
  level: string
  here: boolean
  resigned: boolean
  /** A bot plays for him as long as he is away. */
  replaced: boolean
}

export interface Table {
  id: string
  game: string
  title: string
  mode: string
  options: string
  you: number | null
  invited: number | null
  seats: Seat[]
  may: string[]
  offers: string[]
  invites?: Record<string, string>
  asked: { what: string, by: number, waiting: number[] } | null
  answered: { what: string, by: number, yes: boolean } | null
  preparing: boolean
  watching: number
  delay: number
  fair: Record<string, unknown>
  end: { reason: string, text: string, returns: (number | null)[] } | null
  rematch: string | null
}

/** What a bot would do in one's place: first the best, and in words. `expected`: a return, -1 .. 1. */
export interface Advised {
  choices: { action: number, visits: number, expected: number }[]
  text: string
}

/** What a match was for a seat: start + luck + own + others = end, expected returns of -1 .. 1 or sums over rounds. */
export interface Account {
  seat: number
  rounds: number
  start: number
  luck: number
  own: number
  others: number
  end: number
  /** As they are shown: rounded so that they add up, too. */
  parts: Record<'start' | 'luck' | 'own' | 'others' | 'end', string>
  text: string
}

/** One decision of a match, as one seat could judge it. */
export interface Step {
  number: number
  /** Null: all, who agreed on it. */
  mover: number | null
  word: string
  label: string
  told: string
  before: number
  decision: number
  luck: number
  after: number
  /** At the seat's own decisions, what the best bot would have done. */
  best: string
  best_label: string
  /** The chances to win before and after, in words: "54 %". */
  chances: [string, string]
  /** How much better the best bot's choice is, in words; '': it is the same. */
  better: string
}

/** How a match went for one seat: all decisions. */
export interface Early {
  accounts?: undefined
  seat: number
  /** In so many parts was it judged. */
  rounds: number
  steps: Step[]
  turning_points: number[]
  /** The seat's own decisions that gave most away. */
  worst: number[]
  decided: string
}

/** And of all seats the sums. */
export interface Review extends Omit<Early, 'accounts'> {
  accounts: Account[]
}

export interface Trouble {
  code: string
  message: string
  where: string
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
