// @ts-check
/** A game learnt by playing: its lessons one after the other. `/learn/GAME/LESSON` */
import { get, post } from '../api.js'
import { Match } from '../match/page.js'
import { useMatch } from '../match/match.js'
import { Icon } from '../pieces.js'
import { BASE, to } from '../place.js'
import { Dialog, Plain, Top, showInTab } from '../shell.js'
import { begin, request } from '../setup/setup.js'
import * as storage from '../storage.js'
import { addStyle, loadTheme } from '../theme.js'
import { html, useEffect, useRef, useState } from '../ui.js'
import { InPrompt, OnTable, Words, useDocked } from './coach.js'
import { lessonLine } from './line.js'
/** @import { Coaching } from './coach.js' */
/** @import { Coached } from './line.js' */
/** @import { LessonInfo } from '../protocol' */
/** @import { Game } from '../setup/setup.js' */
/** @import { PageProps, Theme } from '../types' */

await addStyle('/web/learn/learn.css')

/** @param {string} game @param {string} [id] */
const linkTo = (game, id) => to(`/learn/${encodeURIComponent(game)}${id ? `/${encodeURIComponent(id)}` : ''}`)

/** @param {PageProps} props */
export default function Page({ path, go }) {
  const game = path[1] || '', id = path[2] || ''
  const [lessons, setLessons] = useState(/** @type {LessonInfo[] | null} */ (null))
  const [theme, setTheme] = useState(/** @type {Theme | null} */ (null))
  const [wrong, setWrong] = useState('')
  useEffect(() => {
    const known = get(`/api/games/${encodeURIComponent(game)}/lessons`)
    Promise.all([known, loadTheme(game)]).then(([{ lessons: found }, looks]) => {
      setTheme(looks)
      setLessons(found)
    }).catch(e => setWrong(e.message))
  }, [game])

  if (wrong) return html`<${Plain} title="No lessons" text=${wrong} />`
  if (!lessons || !theme) return html`<${Plain} title="Lessons" text="Loading …"><span></span><//>`
  const at = id ? lessons.findIndex(x => x.id === id) : firstOf(game, lessons)
  if (!lessons.length || at < 0) {
    return html`<${Plain} title="No such lesson" text="This game has no lesson at this address.">
      <a class="choice is-main" href=${to(`/rules/${encodeURIComponent(game)}`)}>${Icon('rules')}<span>Read the rules</span></a><//>`
  }
  return html`<${Lesson} key=${lessons[at].id} game=${game} lessons=${lessons} at=${at} theme=${theme} go=${go} />`
}

/** The first that has not been taken here; all have: the first. @param {string} game @param {LessonInfo[]} lessons */
function firstOf(game, lessons) {
  const learnt = storage.learnt(game), at = lessons.findIndex(x => !learnt.includes(x.id))
  return Math.max(0, at)
}

/** @param {{game: string, lessons: LessonInfo[], at: number, theme: Theme, go: PageProps['go']}} props */
function Lesson({ game, lessons, at, theme, go }) {
  const { id, title, chapter } = lessons[at], after = lessons[at + 1]
  const root = useRef(/** @type {HTMLElement | null} */ (null))
  const line = useRef(/** @type {ReturnType<typeof lessonLine> | null} */ (null))
  const [coached, setCoached] = useState(/** @type {Coached | null} */ (null))
  const [listed, setListed] = useState(false)
  const match = useMatch(hear => {
    line.current = lessonLine({ game, id, hear, coach: setCoached })
    return line.current
  }, [game, id], root)
  const { room, view } = match, docked = useDocked()

  useEffect(() => { if (room) showInTab(`${room.title}: ${title}`) }, [room])
  useEffect(() => { if (coached?.over) storage.keepLearnt(game, id) }, [coached])
  useEffect(() => { // who tries something else has read what was wrong
    if (!coached?.said) return undefined
    const table = root.current, forget = () => setCoached({ ...coached, said: '' })
    table?.addEventListener('pointerup', forget)
    return () => table?.removeEventListener('pointerup', forget)
  }, [coached])

  if (match.line.state === 'refused') {
    return html`<${Plain} title="This lesson cannot be taken" text=${match.line.error?.message ?? ''}>
      ${after && html`<a class="choice is-main" href=${linkTo(game, after.id)}><span>${after.title}</span></a>`}<//>`
  }
  if (!room || !view || !coached) {
    return html`<div class="box is-table" data-game=${game}><${Top} />
      <main class="tray"><p class="felt-note opening" role="status">Opening the lesson …</p></main></div>`
  }
  const toNext = () => { if (after) go(linkTo(game, after.id)) }
  const toMatch = () => { firstMatch(game, chapter).then(go, () => go(BASE)) }
  const isLast = after?.chapter !== chapter // of this way to play: who has taken it can play so
  const next = isLast ? { text: 'Play your first match', go: toMatch } : { text: `Next: ${after.title}`, go: toNext }
  const props = {
    coached, title, place: `Lesson ${at + 1} of ${lessons.length}`, next,
    more: isLast && after ? { text: `Learn ${after.chapter}`, go: toNext } : null,
    onGoOn: () => line.current?.goOn(), onBack: () => line.current?.back(), onSkip: after ? toNext : toMatch,
    onAgain: () => line.current?.restart(), onList: () => setListed(true),
  }
  /** @type {Coaching} */
  const coach = {
    asks: coached.asks,
    choiceOf: scene => scene.choices.find(c => c.action === coached.actions[0]) ?? null,
    press: key => {
      if (key !== 'Enter' || coached.asks) return false
      if (coached.over) next.go()
      else props.onGoOn()
      return true
    },
    docked,
    onTable: (root, { say }) => html`
      <${OnTable} meant=${coached} docked=${docked} root=${root}><${Words} ...${props} say=${say} /><//>`,
    inPrompt: ({ say }) => html`<${InPrompt}><${Words} ...${props} say=${say} /><//>`,
  }
  return html`
    <${Match} match=${match} room=${room} shown=${view.shown} deltas=${view.deltas} theme=${theme} token=""
      root=${root} go=${go} coach=${coach} />
    ${listed && html`<${List} game=${game} lessons=${lessons} id=${id} onClose=${() => setListed(false)} />`}`
}

/** A match against bots that are easy, with help: the address. @param {string} game @param {string} mode the way to play @returns {Promise<string>} */
async function firstMatch(game, mode) {
  /** @type {Game[]} */
  const games = await get('/api/games'), found = games.find(x => x.name === game)
  if (!found) return BASE
  const setup = begin(found, { mode }), seats = setup.seats.map(who => (who === 'you' ? who : found.levels[1]))
  const { id, seat, token } = await post('/api/matches', request(found, setup, { name: storage.myName(), seats }))
  storage.wantHelp(game, true)
  storage.remember({ id, token, game, title: found.title, seat, name: storage.myName() })
  return to(`/match/${id}#${token}`)
}

/** All lessons, by what they teach to play; those that were taken have a tick.
 * @param {{game: string, lessons: LessonInfo[], id: string, onClose: () => void}} props */
function List({ game, lessons, id, onClose }) {
  const learnt = storage.learnt(game), chapters = [...new Set(lessons.map(x => x.chapter))]
  return html`<${Dialog} title="All lessons" cls="sheet" onClose=${onClose}>
    <div class="lessons">${chapters.map(chapter => html`
      ${chapter && html`<h3>${chapter}</h3>`}
      <ol>${lessons.filter(x => x.chapter === chapter).map(x => html`
        <li><a href=${linkTo(game, x.id)} aria-current=${x.id === id ? 'step' : undefined} onClick=${onClose}>
          <span>${x.title}</span>${learnt.includes(x.id) && html`${Icon('check')}<span class="vh">, done</span>`}</a></li>`)}</ol>`)}
      <a class="choice" href=${to(`/rules/${encodeURIComponent(game)}`)}>${Icon('rules')}<span>All rules</span></a>
    </div><//>`
}
