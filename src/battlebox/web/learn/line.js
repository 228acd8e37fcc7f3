// @ts-check
/** A lesson instead of a match: the server keeps nothing of it, so that every request says all choices. */
import { post } from '../api.js'
import { follower } from '../match/frames.js'
/** @import { connect, Heard } from '../match/connection.js' */
/** @import { FrameHeard } from '../match/frames.js' */
/** @import { CoachInfo, LessonPicture } from '../protocol' */

/** What the coach says now, after so many choices. @typedef {CoachInfo & {taken: string[]}} Coached */

/**
 * What a lesson ends with: where a new round has begun by then, the table as it was when that was decided
 * which the coach speaks of. @param {FrameHeard} heard @returns {FrameHeard}
 */
function asTold({ shown, before, jump }) {
  const ended = before.filter(s => s.scene.title !== shown.scene.title), last = ended.pop()
  return last && !shown.scene.over ? { type: 'frame', shown: { ...last, rest: 0 }, before: ended, jump } : { type: 'frame', shown, before, jump }
}

/**
 * @param {{game: string, id: string, hear: (heard: Heard) => void, coach: (coached: Coached) => void}} where
 * @returns {ReturnType<typeof connect> & {goOn: () => void, back: () => void, restart: () => void}}
 */
export function lessonLine({ game, id, hear, coach }) {
  const frames = follower(), path = `/api/games/${encodeURIComponent(game)}/lessons/${encodeURIComponent(id)}`
  /** @type {string[]} the choices that were right */
  let taken = []
  let closed = false

  /** @param {string} [attempt] @returns {Promise<string>} why it was not right; '': it was */
  async function step(attempt) {
    const { since = -1 } = frames.seen()
    /** @type {LessonPicture} */
    const now = await post(path, { choices: taken, since, ...(attempt !== undefined && { attempt }) })
    if (closed) return ''
    const isNew = frames.isNew()
    taken = now.choices
    if (isNew) {
      hear({ type: 'state', state: 'live' })
      hear({ type: 'room', room: now.room })
    }
    for (const frame of now.frames) {
      const heard = frames.follow(frame)
      if (heard) hear(now.coach.over && heard.type === 'frame' ? asTold(heard) : heard)
    }
    coach({ ...now.coach, taken })
    return now.coach.said
  }

  /** Shows where one stands after fewer choices. @param {string[]} choices */
  const from = choices => {
    taken = choices
    frames.forget()
    begin()
  }
  const failed = (/** @type {any} */ error) => {
    if (!closed) hear({ type: 'state', state: frames.isNew() ? 'refused' : 'lost', error })
  }
  const begin = () => { step().catch(failed) }
  const nothing = () => Promise.resolve(undefined)
  begin()

  return {
    close: () => { closed = true },
    again: begin,
    send: nothing,
    ask: () => ({ answer: nothing(), cancel: () => {} }),
    /** Makes a choice; fails, with what the coach says, if it is not right. */
    async choose(action, { scene }) {
      const word = scene.choices.find(c => c.action === action)?.word ?? ''
      const said = await step(word)
      if (said) throw { said }
      return undefined
    },
    goOn: () => { step('').catch(failed) },
    /** One choice back. */
    back: () => from(taken.slice(0, -1)),
    restart: () => from([]),
  }
}
