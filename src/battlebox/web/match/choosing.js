// @ts-check
/** Choosing at the table: what is picked, looked at and refused, by tap, drag, key or button. */
import { drag, letGo } from './drag.js'
import { inspected } from './inspector.js'
import { measure, play } from './motion.js'
import { FEW, SQUARES, STORED, areTapped, buttons, drop, fromTarget, inShort, keyed, kindOf, kindOfPiece, litIds, mainFirst, meant, nameOf, said, tap, under, whole } from './picking.js'
import { seatName } from '../seats.js'
import { TAB, read, write } from '../storage.js'
import { useEffect, useLayoutEffect, useLoaded, useRef, useState } from '../ui.js'
/** @import { PlacementInfo, RoomMessage } from '../protocol' */
/** @import { Choice, Shown, Theme } from '../types' */
/** @import { Button } from './picking.js' */
/** @import { Pair } from './placing.js' */
/** @import { Hint } from './prompt.js' */
/** @import { Picture } from './motion.js' */

/** How a target is asked for, by its kind, where the game's theme has no better words. */
const ASK = /** @type {Record<string, string>} */ ({ plaque: 'whom?', piece: 'which one?', move: 'what to do?' })

/** What all of many choices begin with; there is no need to pick it. @param {Choice[]} choices */
function sharedStart(choices) {
  const first = choices[0]?.path[0]
  const isShared = choices.length > FEW && choices.every(c => c.path.length > 1 && c.path[0] === first && !c.any_order)
  return first && isShared ? [first] : []
}

/** The only element of a list, or null. @param {Choice[]} list */
const onlyOne = list => (list.length === 1 ? list[0] : null)

/**
 * @param {{
 *   shown: Shown, room: RoomMessage, theme: Theme, yours: boolean, advised: Choice | null, isBehind: boolean, root: {current: Element | null},
 *   make: (action: number, shown: Shown) => Promise<unknown>, say: (text: string | string[]) => void,
 *   report: (error: any) => void,
 * }} at
 */
export function useChoosing({ shown, room, theme, yours: isAsked, advised, isBehind, root, make, say, report }) {
  const { scene } = shown, many = isAsked && scene.choices.some(c => c.any_order)
  const oneByOne = isAsked && Boolean(scene.placements), laysMany = many && !oneByOne
  const placing = useLoaded(() => import('./placing.js'), laysMany, true), canLay = !laysMany || placing
  const yours = isAsked && Boolean(canLay), all = yours ? scene.choices : []
  // the same question may be shown again: somebody has got another name, the line was lost for a moment
  const asks = [shown.told.length, ...all.map(c => c.action)].join()
  const question = yours && scene.placements ? 'placements' : asks // what lies stays while one piece after the other is asked for
  const [mine, setMine] = useState(() => {
    const [match, ...ids] = /** @type {string[]} */ (read('laid', [], TAB))
    return { question: match === room.id ? 'placements' : '', ids }
  })
  const taps = mine.question === question ? mine.ids : [], choices = scene.placements ? all : fromTarget(all, taps)
  const before = useRef(/** @type {Picture | null} */ (null))
  const setPicked = (/** @type {string[]} */ ids) => {
    if (lays) before.current = measure(root.current)
    setMine({ question, ids })
  }
  const [seen, setSeen] = useState(/** @type {Choice | null} */ (null))
  const [looked, setLooked] = useState(/** @type {string | null} */ (null))
  const [hint, setHint] = useState(/** @type {Hint | null} */ (null))
  const [isSent, setBusy] = useState(false)
  const [listed, setListed] = useState('')
  const [rest, setRest] = useState(/** @type {{laid: Pair[], asks: string} | null} */ (null)) // what is still to be sent
  const [early, setEarly] = useState(/** @type {string[]} */ ([])) // tapped before what lays it was there
  const [goal, setGoal] = useState(/** @type {string | null} */ (null)) // where a piece that is dragged would lie

  const lineup = useLoaded(() => import('./lineup.js'), oneByOne, Boolean(early.length || looked || listed || taps.length))
  const picked = taps.length || scene.placements ? taps : sharedStart(choices)
  const name = (/** @type {string} */ id) => {
    const zone = scene.zones.find(z => z.id === id)
    return zone?.kind === 'plaque' ? seatName(room, zone.owner) : nameOf(scene, id)
  }
  /** What is laid in any order, if that is asked. */
  const lays = laysOf({ scene, choices, picked, goal: goal ?? looked, advised, name })
  /** What lays pieces is not loaded yet: what is tapped until then is done when it is. */
  const isTooEarly = Boolean(laysMany && !placing || yours && scene.placements && !lays)
  const lines = lays?.text === undefined ? null : lays, busy = isSent || rest !== null
  const lit = lays ? lays.lit : yours && scene.placements ? anywhere(scene.placements) : litIds(choices, picked), left = lays ? lays.left : under(choices, picked)
  const advisedNext = lays ? lays.advised : advised && left.includes(advised) ? advised.path[picked.length] : undefined
  const sole = lays ? lays.done : picked.length ? onlyOne(left) : null
  const nextOf = (/** @type {Button} */ b) => b.pick || b.choice?.path[picked.length] || ''
  const listOf = (/** @type {string} */ id) => theme.list?.[kindOfPiece(scene, id)] || ''
  const { list, end } = said(lays ? lays.buttons : !yours ? [] : scene.placements ? onceLoaded(choices) : buttons({ ...scene, choices }, picked, name, listOf, listed))
  const offered = keyed(list.filter(b => !b.back || taps.length || listed))
  const keys = new Map(areTapped(offered) ? offered.map(b => [nextOf(b), b.key || '']) : [])
  const refusal = (/** @type {string} */ id) => (yours ? scene.refusals?.find(r => r.id === id) : undefined)
  /** @param {import('./placing.js').At} at @returns {import('./placing.js').Laid | null} */
  function laysOf(at) {
    if (yours && scene.placements) {
      return lineup && lineup.liningUp({ ...at, match: room.id, listed, put: setPicked, send: laid => setRest({ laid, asks: '' }) })
    }
    return placing && choices.some(c => c.any_order) ? placing.laying(at) : null
  }
  const drops = () => {
    root.current?.querySelectorAll('.is-dragged').forEach(el => letGo(/** @type {HTMLElement | SVGElement} */ (el)))
  }

  const forget = () => {
    if (!lays && question !== 'placements') setPicked([]) // what lies stays until the next picture
    setSeen(null)
    setHint(null)
    setListed('')
  }
  const act = (/** @type {Choice} */ choice) => {
    if (isSent) return
    setBusy(true)
    forget()
    make(choice.action, shown).catch(error => {
      report(error)
      drops()
      setRest(null)
    }).then(() => setBusy(false))
  }
  useEffect(() => { // what lies is sent as it is asked for, one piece after the other
    if (!rest || isSent || rest.asks === asks || !yours) return
    const choice = lineup?.asked(choices, rest.laid)
    setRest(choice && rest.laid.length > 1 ? { laid: rest.laid.filter(([piece]) => piece !== choice.path[0]), asks } : null)
    if (choice) act(choice)
  }, [rest, isSent, asks, yours])
  useEffect(() => write('laid', question === 'placements' ? [room.id, ...taps] : [], TAB), [question, taps.join()])
  const lined = useRef(shown)
  useEffect(() => { // how one has lined up can be taken again
    if (lineup && lined.current.scene.placements) lineup.remember(room.id, lined.current.scene, scene)
    lined.current = shown
  }, [shown])
  useEffect(() => {
    if (!early.length || isTooEarly) return
    setEarly(early.slice(1))
    press(early[0])
  }, [early, Boolean(lays)])
  /** `isSeen`: what it leads to has been shown already, so that nothing is asked again. */
  const press = (/** @type {string} */ id, isSeen = false) => {
    if (isTooEarly) return setEarly([...early, id])
    const piece = meant(scene, id, lit), not = refusal(id)
    const result = busy ? null : lays ? lays.tap(id) : tap(choices, picked, piece) || tap(all, [], piece, kindOf(scene, piece) === 'piece') // a zone is tapped to be looked at
    setSeen(null)
    setListed('')
    const one = isSeen && !lays && result && 'picked' in result ? onlyOne(under(choices, result.picked)) : null
    if (result && 'choice' in result) act(result.choice)
    else if (one?.path[one.path.length - 1] === id) act(one)
    else if (result) {
      setPicked(result.picked)
      setHint(null)
    } else if (not) {
      // on a board, what the piece is, too
      const about = scene.zones.some(z => z.facts.at?.[id]) && inspected(scene, id)
      setHint({ text: [not.why, ...(about ? about.lines : [])].join(' '), rules: not.rules })
      say(not.why)
    } else {
      const about = inspected(scene, id)
      setHint(about && { text: [`${about.title}:`, ...about.lines].join(' ') })
    }
  }
  /** One step back; whether there was one. */
  const step = () => {
    if (listed) return setListed(''), true
    if (!hint && !taps.length) return false
    if (!hint) setPicked(lays ? lays.before : taps.slice(0, -1))
    setHint(null)
    setSeen(null)
    return true
  }
  const choose = (/** @type {Button} */ b) => {
    keepFocus()
    if (b.choice) act(b.choice)
    else if (b.pick) press(b.pick)
    else if (b.does) setListed(''), b.does()
    else if (b.list) setListed(b.list)
    else step()
  }
  /** A key picks what bears it, as a tap does; what has a button is chosen. @param {Button} b */
  const chooseByKey = b => (b.key && keys.has(nextOf(b)) && b.piece ? press(nextOf(b)) : choose(b))
  const grab = (/** @type {PointerEvent} */ e, /** @type {string} */ id) => {
    const isAsked = scene.zones.some(z => z.kind === 'grid' && z.facts.active?.includes(id)) && !all.some(c => c.path[0] === id)
    if (!busy && lays?.isPiece(id)) return grabToLay(e, id, lays)
    if (busy || !all.some(c => isAsked || c.path[0] === id)) return
    const first = scene.zones.find(z => z.kind === 'grid')?.facts.early
    if (first) {
      return drag(e, { // it cannot go anywhere yet: what comes first is said
        start: () => setPicked([id]), over: () => {},
        drop: () => {
          setHint({ text: first })
          say(first)
          return false
        },
      })
    }
    // the piece that the question is about is dragged to where a choice of its own begins
    const aimedAt = (/** @type {string[]} */ ids) => (
      isAsked ? onlyOne(all.filter(c => ids.includes(c.path[0] ?? ''))) : drop(all, id, ids)
    )
    drag(e, {
      start: () => setPicked(isAsked ? [] : [id]),
      over: ids => setSeen(aimedAt(ids)),
      drop: ids => {
        const choice = aimedAt(ids), isHome = ids.some(x => kindOf(scene, x) === 'fan')
        if (isAsked && choice) return act(choice), true
        if (isAsked) press(ids.find(x => lit.has(x)) ?? '')
        const isMeant = choice && (choice.path.length > 1 || !isHome)
        if (isMeant) act(choice)
        else setSeen(null)
        return Boolean(isMeant)
      },
    })
  }

  /**
   * A piece is dragged to where it is to lie, or back into the hand.
   * @param {PointerEvent} e @param {string} id @param {ReturnType<typeof import('./placing.js').laying>} lays
   */
  const grabToLay = (e, id, lays) => drag(e, {
    start: () => setPicked(lays.take(id)),
    over: ids => setGoal(lays.goal(id, ids) ?? null),
    drop: ids => {
      const to = lays.goal(id, ids), isHome = ids.some(x => ['fan', 'bench'].includes(kindOf(scene, x)))
      setGoal(null)
      setPicked(lays.drop(id, to, isHome))
      return Boolean(to) && !lines // on a board it stands there at once
    },
  })

  useLayoutEffect(() => { // what is laid moves there, and the keyboard goes on with what is next
    if (!before.current) return
    play(root.current, before.current)
    before.current = null
    if (document.activeElement === document.body) focusNext(root.current, (lines && taps[taps.length - 2]) || '')
  }, [mine])
  useLayoutEffect(drops, [shown])
  useLayoutEffect(() => { if (!isBehind) forget() }, [question]) // what one looks at again takes nothing away

  /** The choice that begins with what the mouse is over, on a board. */
  const pointed = looked && scene.zones.some(z => z.facts.at && z.pieces.some(p => p.id === looked))
    ? onlyOne(under(choices, [looked])) : null
  const { text, more } = asked()
  useEffect(() => { if (taps.length) say([lays ? lays.says : '', text, sole ? sole.sub : '']) }, [taps.join()])

  /** The question as it stands after what has been picked, and what helps to answer it. */
  function asked() {
    const id = taps[taps.length - 1], about = id && inspected(scene, id), next = left[0]?.path[picked.length]
    const hints = pointed ? `${[pointed.label, pointed.sub].filter(Boolean).join(': ')}.` : scene.zones.map(z => z.facts.hint).filter(Boolean).join(' ')
    if (lines) return { text: lines.text || scene.prompt, more: lines.hint ? { text: lines.hint } : null }
    if (!id || !yours) return { text: scene.prompt, more: yours && hints ? { text: hints } : null }
    const more = about && about.piece?.kind !== 'cell' ? { text: [end && `For each: ${end}.`, ...about.lines].filter(Boolean).join(' ') } : null
    if (lays && !lays.held) return { text: sole ? `${sole.label}?` : scene.prompt, more: null }
    if (sole) return { text: `${sole.label}?`, more }
    const kind = next ? kindOf(scene, next) : 'piece', what = next ? kindOfPiece(scene, next) : kind
    const ask = (lays && theme.ask?.lay) || theme.ask?.[what] || theme.ask?.[kind] || ASK[what] || ASK[kind] || 'where?'
    return { text: `${name(id)}: ${ask}`, more }
  }

  /** What a screen reader says about a piece or zone besides its name. @param {string} id */
  const wordsOf = id => {
    if (lays?.knows(id)) return lays.wordsOf(id)
    if (picked.includes(id)) return sole ? `Chosen. Press again: ${sole.label}` : 'Chosen'
    const one = onlyOne(under(choices, [...picked, id])) || onlyOne(under(choices, [id])), not = refusal(id)
    if (advised && id === advisedNext) return `The hint: ${advised.label}`
    if (lit.has(id)) return one && !scene.placements ? [one.label, one.sub].filter(Boolean).join(': ') : 'Can be chosen'
    return not ? `Not now: ${not.why}` : ''
  }
  /** @param {string} id @returns {'' | 'lit' | 'aim' | 'picked' | 'idle'} */
  const stateOf = id => {
    if (!yours) return ''
    if (lays ? id === lays.next : picked.includes(id)) return 'picked'
    if (id === goal) return 'aim'
    if (seen && !lays ? seen.path.includes(id) : id === advisedNext) return 'aim'
    if (lit.has(id)) return 'lit'
    const hand = lays?.placeOf(id) ? undefined : scene.zones.find(z => z.kind === 'fan' && z.pieces.some(p => p.id === id))
    // where nothing of a hand is asked for, and nothing said against it, it lies there as usual
    return hand && (lays || scene.placements || hand.pieces.some(p => lit.has(p.id) || refusal(p.id))) ? 'idle' : ''
  }
  const next = looked && picked.length ? onlyOne(under(choices, [...picked, looked])) : null
  const preview = seen || sole || next
  const near = looked && !lines ? under(choices, [...picked, looked])[0] || under(choices, [looked])[0] : null

  return {
    text, hint: hint || more, offered, busy, press, step, choose, chooseByKey, grab, stateOf, wordsOf,
    see: setSeen,
    /** The key that picks a piece, where no button shows it. @param {string} id */
    keyOf: id => keys.get(id) || '',
    look: setLooked,
    choicesOf: (/** @type {string} */ id) => under(all, [id]),
    /** What the hint would tap next. */
    hinted: yours ? advisedNext : undefined,
    /** The choice that is looked at, or the first of those that are left. */
    aim: seen || near || (taps.length ? null : advised) || (picked.length && !lines ? mainFirst(left)[0] : null) || null,
    ghostOf: (/** @type {string} */ id) => (lays ? lays.ghostOf(id) : preview?.then?.[id]),
    /** What all choices of a piece come to, in short; empty: nothing, or not the same. @param {string} id */
    wouldOf: id => {
      const its = picked.includes(id) ? left : under(choices, [...picked, id]), found = its.length ? its : under(choices, [id])
      return lays || found.some(c => c.sub !== found[0].sub) ? '' : inShort(found[0])
    },
    /** Where one has laid a piece. */
    placeOf: (/** @type {string} */ id) => lays?.placeOf(id),
    /** What the inspector shows, and the rules of what is picked. */
    inspected: looked || picked[0] || null,
    rules: (picked.length && left[0]?.rules) || [],
  }
}

/** All that may be laid, and where. @param {PlacementInfo[]} placements */
const anywhere = placements => new Set(placements.flatMap(x => [...x.pieces, ...Object.keys(x.places)]))

/** The buttons of a lineup until it is loaded. @param {Choice[]} choices @returns {Button[]} */
const onceLoaded = choices => [
  ...choices.some(c => c.any_order) ? [{ text: STORED, sub: '', tone: 'plain', list: STORED }] : [],
  ...choices.filter(c => !c.path.length).map(whole), { text: SQUARES, sub: '', tone: 'plain', list: SQUARES },
]

/** To what has just been laid, to what can be taken up next, or to the buttons. @param {Element | null} root @param {string} laid */
function focusNext(root, laid) {
  const next = root?.querySelector(`.figure[data-piece="${laid}"]`) ?? root?.querySelector('.fan .is-lit, .is-lit > .hit') ??
    document.querySelector('#choices .choices button')
  if (next instanceof HTMLElement || next instanceof SVGElement) next.focus({ preventScroll: true })
}

/** Keeps the place of keyboard and screen reader when the pressed button is about to go. */
function keepFocus() {
  const prompt = document.getElementById('choices')
  if (prompt?.contains(document.activeElement)) prompt.focus()
}
