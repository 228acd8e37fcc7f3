// @ts-check
/** Pieces laid where they go, in any order on this page alone, until it is confirmed. No game, no drawing. */
/** @import { Choice, Scene } from './types' */
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
 * What may be laid where, by the choices whose pairs may be said in any order. Pieces with the same label
 * stand for each other.
 * @param {Scene} scene @param {Choice[]} choices
 */
function rulesOf(scene, choices) {
  const labels = new Map(scene.zones.flatMap(z => z.pieces).map(p => [p.id, p.label]))
  const all = choices.map(choice => ({ choice, pairs: split(choice.path).laid }))
  const pieces = new Set(all.flatMap(x => x.pairs.map(([piece]) => piece)))
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

  const mayLie = (/** @type {Pair[]} */ laid) => agreeing(laid).length > 0
  return {
    pieces, zones, agreeing, mayLie,
    /**
     * What lies when a piece is laid in a zone. What has to make room goes where the piece was, or back.
     * @param {Pair[]} laid @param {string} piece @param {string} zone
     */
    lay(laid, piece, zone) {
      const from = laid.find(([p]) => p === piece)?.[1]
      /** @type {Pair[]} */
      let kept = []
      for (const [other, at] of laid.filter(([p]) => p !== piece)) {
        const spot = [at, from].find(z => z && mayLie([[piece, zone], ...kept, [other, z]]))
        if (spot) kept = [...kept, [other, spot]]
      }
      return completed([...kept, [piece, zone]])
    },
  }
}

/**
 * How it lies, what may be done, and what is said of it. `picked`: what lies and what is held; `goal`: the
 * zone that is looked at.
 * @param {{scene: Scene, choices: Choice[], picked: string[], goal: string | null, advised: Choice | null,
 *   name: (id: string) => string}} at
 */
export function laying({ scene, choices, picked, goal, advised, name }) {
  const free = choices.filter(c => c.any_order), rules = rulesOf(scene, free), { pieces, zones } = rules
  const { laid, held } = split(picked), left = rules.agreeing(laid)
  const fits = (/** @type {string} */ id, /** @type {string} */ zone) => zones.includes(zone) && rules.mayLie([[id, zone]])
  const without = (/** @type {string} */ id) => laid.filter(([piece]) => piece !== id)
  const placeOf = (/** @type {string} */ id) => laid.find(([piece]) => piece === id)?.[1]
  const rest = [...pieces].filter(id => !placeOf(id)).sort()
  const open = held ? zones.filter(zone => zone !== placeOf(held) && fits(held, zone)) : rest
  const all = left.find(x => x.pairs.length === laid.length)?.choice || null, done = held ? null : all
  // what is said of totals is what would be so if the held piece lay where one looks
  const then = rules.agreeing(held && goal && fits(held, goal) ? rules.lay(laid, held, goal) : laid).map(x => x.choice)
  const ghostOf = (/** @type {string} */ id) => (picked.length ? agreed(then, id) : undefined)
  const next = advised && split(advised.path).laid.find(([piece, zone]) => (held ? piece === held : placeOf(piece) !== zone))
  const advisedNext = next?.[held ? 1 : 0], isAdvised = advised && left.some(x => x.choice === advised)

  /** @returns {Button[]} */
  function buttons() {
    const back = { text: held ? 'Other card' : 'Take back', sub: '', tone: 'plain', back: true }
    const others = held ? [] : choices.filter(c => !c.any_order)
    const sure = done || (free.length === 1 && !held ? free[0] : null)
    const list = sure
      ? [{ text: 'Confirm', label: `Confirm: ${sure.label}`, sub: sure.sub, tone: 'main', choice: sure, sees: [sure] }]
      : open.map(id => ({ text: name(id), sub: '', tone: held ? 'main' : 'plain', pick: id, piece: true }))
    return [...list, ...others.map(c => ({ text: c.label, sub: c.sub, tone: 'plain', choice: c, sees: [c] })), back]
  }

  return {
    held, done, placeOf, ghostOf,
    left: left.map(x => x.choice),
    lit: new Set([...open, ...(held ? pieces : [])]),
    advised: isAdvised ? advisedNext : undefined,
    buttons: buttons(),
    isPiece: (/** @type {string} */ id) => pieces.has(id),
    knows: (/** @type {string} */ id) => pieces.has(id) || zones.includes(id),
    /** A piece is taken up, then laid in a zone; tapped twice it goes back. @param {string} id */
    tap(id) {
      if (id === held) return { picked: without(id).flat() }
      if (pieces.has(id)) return { picked: [...laid.flat(), id] }
      return held && open.includes(id) ? { picked: rules.lay(laid, held, id).flat() } : null
    },
    /** One step back. */
    before: (held ? laid : laid.slice(0, -1)).flat(),
    /** @param {string} id */
    take: id => [...laid.flat(), id],
    /** The zone under the finger where a piece may lie and does not yet. @param {string} id @param {string[]} over */
    goal: (id, over) => over.find(zone => zone !== placeOf(id) && fits(id, zone)),
    /** @param {string} id @param {string | undefined} zone @param {boolean} isHome it goes back into the hand */
    drop: (id, zone, isHome) => (zone ? rules.lay(laid, id, zone) : isHome ? without(id) : laid).flat(),
    /** What lies where, in a sentence. */
    says: laid.map(([piece, zone]) => `${name(piece)}: ${name(zone)}.`).join(' '),
    /** What a screen reader says of a piece or zone besides its name. @param {string} id */
    wordsOf(id) {
      const lies = laid.filter(([piece, zone]) => id === piece || id === zone), total = ghostOf(id)
      return [
        id === held && 'Chosen',
        ...lies.map(([piece, zone]) => (id === piece ? `Lies at ${name(zone)}` : `${name(piece)} lies here`)),
        total !== undefined && `${total} so far`,
        isAdvised && id === advisedNext ? `The hint: ${advised.label}` : open.includes(id) && 'Can be chosen',
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
