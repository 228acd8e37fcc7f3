// @ts-check
/** A game learnt by playing: its lessons one after the other. `/learn/GAME/LESSON` */
import { get } from '../api.js'
import { Match } from '../match/page.js'
import { useMatch } from '../match/match.js'
import { Icon } from '../pieces.js'
import { BASE, to } from '../place.js'
import { Plain, Top, showInTab } from '../shell.js'
import * as storage from '../storage.js'
import { addStyle, loadTheme } from '../theme.js'
import { html, useEffect, useRef, useState } from '../ui.js'
import { InPrompt, OnTable, useDocked } from './coach.js'
import { lessonLine } from './line.js'
/** @import { Coaching } from './coach.js' */
/** @import { Coached } from './line.js' */
/** @import { LessonInfo } from '../protocol' */
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
    Promise.all([known, loadTheme(game)]).then(([found, looks]) => {
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
  const { id, title } = lessons[at], after = lessons[at + 1]
  const root = useRef(/** @type {HTMLElement | null} */ (null))
  const line = useRef(/** @type {ReturnType<typeof lessonLine> | null} */ (null))
  const [coached, setCoached] = useState(/** @type {Coached | null} */ (null))
  const match = useMatch(hear => {
    line.current = lessonLine({ game, id, hear, coach: setCoached })
    return line.current
  }, [game, id], root)
  const { room, view } = match, docked = useDocked()

  useEffect(() => { if (room) showInTab(`${room.title}: ${title}`) }, [room])
  useEffect(() => { if (coached?.over) storage.keepLearnt(game, id) }, [coached])

  if (match.line.state === 'refused') {
    return html`<${Plain} title="This lesson cannot be taken" text=${match.line.error?.message ?? ''}>
      ${after && html`<a class="choice is-main" href=${linkTo(game, after.id)}><span>${after.title}</span></a>`}<//>`
  }
  if (!room || !view || !coached) {
    return html`<div class="box is-table" data-game=${game}><${Top} />
      <main class="tray"><p class="felt-note opening" role="status">Opening the lesson …</p></main></div>`
  }
  const onward = () => go(after ? linkTo(game, after.id) : BASE)
  const props = {
    coached, title, place: `Lesson ${at + 1} of ${lessons.length}`,
    next: { text: after ? `Next: ${after.title}` : 'Play a match', go: onward },
    onGoOn: () => line.current?.goOn(), onBack: () => line.current?.back(), onSkip: onward,
    onAgain: () => line.current?.restart(),
  }
  /** @type {Coaching} */
  const coach = {
    asks: coached.asks,
    choiceOf: scene => scene.choices.find(c => c.action === coached.actions[0]) ?? null,
    press: key => {
      if (key !== 'Enter' || coached.asks) return false
      if (coached.over) onward()
      else props.onGoOn()
      return true
    },
    docked,
    onTable: (root, say) => html`<${OnTable} ...${props} docked=${docked} root=${root} say=${say} />`,
    inPrompt: say => html`<${InPrompt} ...${props} say=${say} />`,
  }
  return html`<${Match} match=${match} room=${room} shown=${view.shown} deltas=${view.deltas} theme=${theme} token=""
    root=${root} go=${go} coach=${coach} />`
}
