// @ts-check
/** Pieces laid where they go, in any order on this page alone, until it is confirmed. No game, no drawing. */
/** @import { Choice, Scene } from '../types' */
/** @import { Button } from './picking.js' */

/** A piece and the zone where it lies. @typedef {[piece: string, zone: string]} Pair */

/** What lies, the newest last, and the piece that is held, if any. @param {string[]} picked */
export function split(picked) {
  /** @type {Pair[]} */
  const laid = []
  for (let i = 0; i + 1 < picked.length; i += 2) laid.push([picked[i], picked[i + 1]])
  return { laid, held: picked.length % 2 ? picked[picked.length - 1] : '' }
}

/**
 * What may be laid where. `agreeing`: the choices that lay at least this; `completed`: with the rest where it has
 * to lie; `oneByOne`: each piece is asked for by itself, so the next one need not be taken up, and no other makes room.
 * @typedef {{pieces: Set<string>, zones: string[], mayLie: (laid: Pair[]) => boolean, completed: (laid: Pair[]) => Pair[],
 *   agreeing: (laid: Pair[]) => {choice: Choice, pairs: Pair[]}[], oneByOne?: boolean}} Rules
 */

/**
 * By the choices whose pairs may be said in any order. Pieces with the same label stand for each other.
 * @param {Scene} scene @param {Choice[]} choices @returns {Rules}
 */
export function rulesOf(scene, choices) {
  const labels = new Map(scene.zones.flatMap(z => z.pieces).map(p => [p.id, p.label]))
  const all = choices.map(choice => ({ choice, pairs: split(choice.path).laid }))
  const pieces = new Set(all.flatMap(x => x.pairs.map(([piece]) => piece)).sort())
  const zones = [...new Set(all.flatMap(x => x.pairs.map(([, zone]) => zone)))].sort()
  const keys = (/** @type {Pair[]} */ laid) => laid.map(([piece, zone]) => `${labels.get(piece)}|${zone}`)
  /** The choices that lay at least this. @param {Pair[]} laid */
  const agreeing = laid => all.filter(({ pairs }) => {
    const left = keys(pairs)
    return keys(laid).every(key => left.includes(key) && left.splice(left.indexOf(key), 1))
  })

  /** With the rest where it has to lie, if there is but one way. @param {Pair[]} laid @returns {Pair[]} */
  function completed(laid) {
    const [only, other] = agreeing(laid)
    if (!only || other) return laid
    const done = keys(laid), free = [...pieces].filter(id => !laid.some(([piece]) => piece === id))
    const rest = only.pairs.filter(pair => {
      const at = done.indexOf(keys([pair])[0])
      if (at >= 0) done.splice(at, 1)
      return at < 0
    })
    return [...laid, ...rest.map(([like, zone]) => {
      const [piece] = free.splice(free.findIndex(id => labels.get(id) === labels.get(like)), 1)
      return /** @type {Pair} */ ([piece, zone])
    })]
  }

  return { pieces, zones, agreeing, completed, mayLie: laid => agreeing(laid).length > 0 }
}

/**
 * What lies when a piece is laid in a zone. What has to make room goes where the piece was, or back.
 * @param {Rules} rules @param {Pair[]} laid @param {string} piece @param {string} zone
 */
export function lay({ mayLie, completed }, laid, piece, zone) {
  const from = laid.find(([p]) => p === piece)?.[1]
  /** @type {Pair[]} */
  let kept = []
  for (const [other, at] of laid.filter(([p]) => p !== piece)) {
    const spot = [at, from].find(z => z && mayLie([[piece, zone], ...kept, [other, z]]))
    if (spot) kept = [...kept, [other, spot]]
  }
  return completed([...kept, [piece, zone]])
}

/**
 * What `laying` says. `text`, `hint`: of the question, where that is not for the page to say.
 * @typedef {{laid: Pair[], held: string, next: string, done: Choice | null, exact: Choice | null, rest: string[], open: string[],
 *   placeOf: (id: string) => string | undefined, ghostOf: (id: string) => number | undefined, left: Choice[], lit: Set<string>,
 *   advised?: string, buttons: Button[], isPiece: (id: string) => boolean, knows: (id: string) => boolean,
 *   tap: (id: string) => {picked: string[]} | null, before: string[], take: (id: string) => string[],
 *   goal: (id: string, over: string[]) => string | undefined, drop: (id: string, zone: string | undefined, isHome: boolean) => string[],
 *   says: string, wordsOf: (id: string) => string, text?: string, hint?: string}} Laid
 */

/**
 * How it lies, what may be done, and what is said of it. `picked`: what lies and what is held; `goal`: the
 * zone that is looked at.
 * @typedef {{scene: Scene, choices: Choice[], picked: string[], goal: string | null, advised: Choice | null,
 *   name: (id: string) => string}} At
 * @param {At} at @param {Rules} [rules]
 * @returns {Laid}
 */
export function laying({ scene, choices, picked, goal, advised, name }, rules = rulesOf(scene, choices.filter(c => c.any_order))) {
  const free = choices.filter(c => c.any_order), { pieces, zones, oneByOne } = rules, all = split(picked)
  const laid = all.laid.filter(([piece]) => pieces.has(piece)), held = pieces.has(all.held) ? all.held : ''
  const left = rules.agreeing(laid)
  const fits = (/** @type {string} */ id, /** @type {string} */ zone) => zones.includes(zone) && rules.mayLie([[id, zone]])
  const without = (/** @type {string} */ id) => laid.filter(([piece]) => piece !== id)
  const placeOf = (/** @type {string} */ id) => laid.find(([piece]) => piece === id)?.[1]
  const rest = [...pieces].filter(id => !placeOf(id)), next = held || (oneByOne && rest[0]) || ''
  const hasRoom = (/** @type {string} */ zone) => (oneByOne ? rules.mayLie([...without(next), [next, zone]]) : fits(next, zone))
  const open = next ? zones.filter(zone => zone !== placeOf(next) && hasRoom(zone)) : rest
  const exact = left.find(x => x.pairs.length === laid.length)?.choice || null, done = held ? null : exact
  // what is said of totals is what would be so if the held piece lay where one looks
  const then = rules.agreeing(held && goal && fits(held, goal) ? lay(rules, laid, held, goal) : laid).map(x => x.choice)
  const ghostOf = (/** @type {string} */ id) => (picked.length ? agreed(then, id) : undefined)
  const wanted = advised && split(advised.path).laid.find(([piece, zone]) => (held ? piece === held : placeOf(piece) !== zone))
  const advisedNext = wanted?.[wanted[0] === next ? 1 : 0], isAdvised = advised && (oneByOne || left.some(x => x.choice === advised))

  /** What makes room for the held piece there, and where it goes. @param {string} id */
  const makesRoom = id => {
    const there = held && laid.find(([piece, zone]) => zone === id && piece !== held)
    if (!there) return ''
    const goes = lay(rules, laid, held, id).find(([piece]) => piece === there[0])
    return `${name(there[0])} goes ${goes ? `to ${name(goes[1])}` : 'back'}`
  }

  /** @returns {Button[]} */
  function buttons() {
    const back = { text: held ? 'Other card' : 'Take back', sub: '', tone: 'plain', back: true }
    const others = held ? [] : choices.filter(c => !c.any_order)
    const sure = done || (free.length === 1 && !held ? free[0] : null)
    const list = sure
      ? [{ text: 'Confirm', label: `Confirm: ${sure.label}`, sub: sure.sub, tone: 'main', choice: sure, sees: [sure] }]
      : open.map(id => ({ text: name(id), sub: makesRoom(id), tone: held ? 'main' : 'plain', pick: id, piece: true }))
    return [...list, ...others.map(c => ({ text: c.label, sub: c.sub, tone: 'plain', choice: c, sees: [c] })), back]
  }

  return {
    laid, held, next, done, exact, rest, open, placeOf, ghostOf,
    left: left.map(x => x.choice),
    lit: new Set([...open, ...(next || oneByOne ? pieces : [])]),
    advised: isAdvised ? advisedNext : undefined,
    buttons: buttons(),
    isPiece: (/** @type {string} */ id) => pieces.has(id),
    knows: (/** @type {string} */ id) => pieces.has(id) || zones.includes(id),
    /** A piece is taken up, then laid in a zone; tapped twice it goes back. @param {string} id */
    tap(id) {
      if (id === held) return { picked: without(id).flat() }
      if (pieces.has(id)) return { picked: [...laid.flat(), id] }
      return next && open.includes(id) ? { picked: lay(rules, laid, next, id).flat() } : null
    },
    /** One step back. */
    before: (held ? laid : laid.slice(0, -1)).flat(),
    /** @param {string} id */
    take: id => [...laid.flat(), id],
    /** The zone under the finger where a piece may lie and does not yet, or that of who lies there. @param {string} id @param {string[]} over */
    goal: (id, over) => over.map(x => placeOf(x) ?? x).find(zone => zone !== placeOf(id) && fits(id, zone)),
    /** @param {string} id @param {string | undefined} zone @param {boolean} isHome it goes back into the hand */
    drop: (id, zone, isHome) => (zone ? lay(rules, laid, id, zone) : isHome ? without(id) : laid).flat(),
    /** What lies where, in a sentence. */
    says: laid.map(([piece, zone]) => `${name(piece)}: ${name(zone)}.`).join(' '),
    /** What a screen reader says of a piece or zone besides its name. @param {string} id */
    wordsOf(id) {
      const lies = laid.filter(([piece, zone]) => id === piece || id === zone), total = ghostOf(id)
      return [
        id === held && 'Chosen',
        ...lies.map(([piece, zone]) => (id === piece ? `Lies at ${name(zone)}` : `${name(piece)} lies here`)),
        total !== undefined && `${total} so far`,
        isAdvised && id === advisedNext ? `The hint: ${advised.label}`
          : open.includes(id) && (oneByOne ? `Place ${name(next)} here` : 'Can be chosen'),
      ].filter(Boolean).join('. ')
    },
  }
}

/**
 * What all of these choices say of a zone's points; undefined: nothing, or not the same.
 * @param {Choice[]} choices @param {string} id
 */
function agreed(choices, id) {
  const first = choices[0]?.then?.[id]
  return choices.every(c => c.then?.[id] === first) ? first : undefined
}
