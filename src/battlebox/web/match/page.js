// @ts-check
/** The page of a match: draws scenes and offers choices. It knows no rule and no game. */
import { useAdvice } from './advice.js'
import { useChoosing } from './choosing.js'
import { connect } from './connection.js'
import { useHabits } from './response_window.js'
import { onKey, tidyTabs } from './keys.js'
import { Inspector } from './inspector.js'
import { Log } from './log.js'
import { useMatch } from './match.js'
import { cueOf, useAnnouncements } from './announcements.js'
import { Closed, LostBanner, ProposalBanner, proposalOf, TakeSeat, SitsAlready, Toast } from './banners.js'
import { to } from '../place.js'
import { Prompt } from './prompt.js'
import { useReview } from '../review/review.js'
import { keptOf } from '../seats.js'
import { Dialog, Later, Tool, Top } from '../shell.js'
import * as storage from '../storage.js'
import { loadTheme } from '../theme.js'
import { html, useEffect, useLayoutEffect, useLoaded, useMemo, useRef, useState } from '../ui.js'
import { SceneView } from './zones.js'
/** @import { Coaching, Hands } from '../learn/coach.js' */
/** @import { RoomMessage } from '../protocol' */
/** @import { PageProps, Shown, Theme } from '../types' */

/** How long the last picture stays before the result is shown. */
const LAST_LOOK = 1600
/** How many lines of news the prompt shows where there is no rail, while others play. */
const NEWS = 4
const PREPARING = 'The bots are getting ready; the first time this takes a minute.'

/** @param {PageProps} props */
export default function Page({ path, hash, go }) {
  const id = path[1] || '', token = hash || storage.tokenOf(id)
  const [theme, setTheme] = useState(/** @type {Theme | null} */ (null))
  const root = useRef(/** @type {HTMLElement | null} */ (null))
  const match = useMatch(hear => connect({ id, token, hear }), [id, token], root)
  const { room, view, line } = match

  useEffect(() => {
    if (token && !hash) history.replaceState(null, '', to(`/match/${id}#${token}`))
  }, [id, token])
  useEffect(() => {
    // an invitation that is used up, in the browser that has used it
    const own = storage.tokenOf(id), isUsed = room && room.you === null && room.invited === null
    if (hash && own && own !== hash && isUsed) go(to(`/match/${id}#${own}`), true)
  }, [room])
  useEffect(() => {
    if (!room) return
    let wanted = true
    loadTheme(room.game).then(found => { if (wanted) setTheme(found) })
    return () => { wanted = false }
  }, [room?.game])
  useEffect(() => {
    if (!room) return
    if (token && room.you !== null) {
      const { you } = room
      storage.remember({ id, token, seat: you, name: room.seats[you]?.name || '', ...keptOf(room) })
    } else if (!token) storage.remember({ id, seat: -1, ...keptOf(room) }, 'watched')
    if (!room.end && room.fair.commitment) storage.keepCommitment(id, room.fair.commitment)
  }, [room])

  const help = useHelp(room)

  if (line.state === 'refused') return html`<${Closed} error=${line.error} id=${id} />`
  if (room && view && theme) {
    return html`
      <${Match} match=${match} room=${room} shown=${view.shown} deltas=${view.deltas} theme=${theme}
        token=${token} root=${root} go=${go} coach=${help?.coachOf(view.shown.scene, view.shown.question)} />`
  }
  return html`
    <div class="box is-table" data-game=${theme?.game}>
      <${Top} title=${room?.title} />
      ${line.state === 'lost' && html`<${LostBanner} again=${match.again} />`}
      <main class="tray"><p class="felt-note opening" role="status">
        ${room?.preparing ? PREPARING : 'Opening the match …'}
      </p></main>
    </div>`
}

/**
 * `coach`: in a lesson, who speaks.
 * @param {{match: ReturnType<typeof useMatch>, room: RoomMessage, shown: Shown, deltas: Record<string, number>,
 *   theme: Theme, token: string, root: {current: HTMLElement | null}, coach?: Coaching,
 *   go: (url: string, replace?: boolean) => void}} props
 */
export function Match({ match, room, shown, deltas, theme, token, root, go, coach }) {
  const { scene, told, fresh } = shown, { isBehind, newest, film, player } = match
  // who has made a match for friends sees the links for them at once, until they have played
  const inviting = hasOpen(room) && !told.some(t => t.turn >= 0 && t.args.seat === room.you), invited = useRef(inviting)
  const [open, setOpen] = useState(/** @type {'' | 'menu' | 'log' | 'rules' | 'invite'} */ (inviting ? 'invite' : ''))
  const [rule, setRule] = useState('')
  const [atEnd, setAtEnd] = useState(Boolean(room.end))

  useEffect(() => { // everybody has come
    if (open === 'invite' && invited.current && !hasOpen(room)) setOpen('')
    invited.current = hasOpen(room)
  }, [room])

  const free = room.invited, own = storage.tokenOf(room.id)
  const undo = newest?.undo && !room.proposal && !room.end ? () => send({ type: 'undo' }) : null
  const isAlone = room.may.includes('hint') // bots have all other seats
  const hasEnded = Boolean(room.end) && !isBehind
  const isMine = scene.viewer !== null && scene.to_act === scene.viewer && !scene.over && !room.end
  const habits = useHabits(room, theme), declines = newest !== null && habits.declines(newest)
  const yours = isMine && !isBehind && !declines && scene.choices.length > 0 && coach?.asks !== false

  const isLost = match.line.state === 'lost'
  const { toast, notice, hush, say, region } = useAnnouncements({ shown, newest, isBehind, isLost, room, theme, yours })
  const report = (/** @type {any} */ error) => { if (!error?.said) notice(error?.message || 'That did not work.', 'cross') }
  const send = (/** @type {any} */ message) => match.send(message).catch(report)
  const skip = () => {
    if (match.skip()) hush()
  }
  const sit = (/** @type {any} */ message) => (
    match.send(message).then(mine => { if (mine) go(to(`/match/${room.id}#${mine}`), true) }, report)
  )
  const proposal = proposalOf(room)
  useEffect(() => { if (proposal.text) say(proposal.text) }, [proposal.text])
  useEffect(() => { if (room.notice) notice(room.notice, 'lost') }, [room.notice])
  useEffect(() => { // the first choice of a question to all declines
    const first = declines && !room.end && newest?.scene.choices[0]
    if (first) match.choose(first.action, newest).catch(report)
  }, [declines, newest?.n])
  const review = useReview({ room, ask: match.ask, say })
  const advice = useAdvice({ shown, room, yours, ask: match.ask, say, report })
  const at = useChoosing({ shown, room, theme, yours, advised: coach?.choiceOf(scene) ?? advice.choice, isBehind, root, make: match.choose, say, report })

  useEffect(() => {
    if (!hasEnded || atEnd) return
    const timer = setTimeout(() => setAtEnd(true), LAST_LOOK)
    return () => clearTimeout(timer)
  }, [hasEnded])

  useLayoutEffect(() => { if (root.current) tidyTabs(root.current) })
  const keys = useRef(/** @type {Parameters<typeof onKey>[1] | null} */ (null))
  keys.current = {
    skip: () => {
      if (!film) skip()
      return isBehind && !film
    },
    back: at.step,
    press: key => {
      if (!isBehind && coach?.press(key)) return true
      const list = at.offered.filter(b => !b.back), only = list.length === 1 && /^(1|Enter)$/.test(key) ? list[0] : undefined
      const button = list.find(b => b.key === key) || only
      if (button && !at.busy) at.chooseByKey(button)
      return Boolean(button)
    },
    hint: advice.seek,
    again: () => Boolean(player?.again()),
    undo: () => Boolean(undo?.()),
  }
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ e) => keys.current && onKey(e, keys.current)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  const close = () => setOpen('')
  const toRules = (/** @type {string} */ id) => {
    setRule(id)
    setOpen('rules')
  }
  const log = () => html`<${Log} told=${told} fresh=${fresh} theme=${theme} room=${room} />`
  const railLog = useMemo(log, [shown, theme, room]) // long, and the same while one looks around
  const top = html`
    <${Top} title=${room.title} emblem=${theme.emblem}
      where=${[scene.title, room.mode].filter(Boolean).join(' · ')}>
      ${!atEnd && html`<${Tool} icon="log" label="Log" cls="only-phone" onClick=${() => setOpen('log')} />`}
      ${hasEnded && html`
        <${Tool} icon=${atEnd ? 'eye' : 'trophy'} label=${atEnd ? 'Show the table' : 'Show the result'}
          onClick=${() => setAtEnd(!atEnd)} />`}
      <${Tool} icon="rules" label="Rules" onClick=${() => toRules('')} />
      <${Tool} icon="dots" label="More" onClick=${() => setOpen('menu')} />
    <//>`
  const around = html`
    ${toast && html`<${Toast} key=${toast.key} ...${toast} theme=${theme} />`}
    ${open === 'log' && html`<${Dialog} title="Log" cls="sheet" onClose=${close}>${log()}<//>`}
    ${open === 'menu' && html`
      <${Later} load=${() => import('./menu.js')} name="Menu" room=${room} habits=${habits}
        hand=${scene.zones.some(z => z.kind === 'fan')} send=${send} onClose=${close}
        onInvite=${() => setOpen('invite')} />`}
    ${open === 'invite' && html`
      <${Later} load=${() => import('./invite.js')} name="Invite" room=${room} token=${token} send=${send}
        say=${(/** @type {string} */ text) => notice(text, 'link')} onClose=${close} />`}
    ${open === 'rules' && html`
      <${Later} load=${() => import('../rules.js')} name="RulesPanel" game=${room.game} match=${room.id} id=${rule}
        onClose=${close} />`}
    ${region}`

  if (atEnd && room.end) {
    return html`
      <div class="box is-end" data-game=${room.game} data-frame=${shown.n}>
        ${top}
        ${match.line.state !== 'live' && html`<${LostBanner} again=${match.again} />`}
        <main class="tray">
          <${Later} load=${() => import('../review/end.js')} name="EndPanel" room=${room} theme=${theme} scene=${scene}
            told=${told} review=${review} token=${token} go=${go} />
        </main>
        ${around}
      </div>`
  }
  /** @type {Hands} */
  const hands = {
    say, hint: advice.may && !advice.text ? advice.seek : null,
    choose: choice => { match.choose(choice.action, shown).catch(report) },
  }
  const spoken = Boolean(coach?.docked && !isBehind && !proposal.text) // others who wait come first
  const context = {
    theme, room, scene, n: shown.n, live: true, press: at.press, grab: at.grab, look: at.look, stateOf: at.stateOf, keyOf: at.keyOf,
    wordsOf: at.wordsOf, choicesOf: at.choicesOf, placeOf: at.placeOf, wouldOf: at.wouldOf, aim: at.aim, hinted: at.hinted, ghostOf: at.ghostOf, deltaOf: (/** @type {string} */ id) => deltas[id],
    invite: () => setOpen('invite'), hold: match.hold,
  }
  return html`
    <a class="skip" href="#choices">Skip to your choices</a>
    <div class="box is-table" data-game=${room.game} data-frame=${shown.n}>
      ${top}
      ${match.line.state !== 'live' && html`<${LostBanner} again=${match.again} />`}
      <main class=${'tray' + (yours ? ' is-yours' : '')} ref=${root}
        onPointerDown=${film ? undefined : skip}>
        <${SceneView} scene=${scene} room=${room} theme=${theme} context=${context} />
        ${coach && !isBehind && coach.onTable(root, hands)}
      </main>
      ${free !== null && own && own !== token ? html`
        <${SitsAlready} url=${to(`/match/${room.id}#${own}`)} />`
      : free !== null ? html`<${TakeSeat} seat=${free} send=${sit} />`
      : html`
        <${Prompt} yours=${yours}
          cue=${proposal.isAsked && !yours ? 'A proposal for you' : film && scene.viewer !== null ? 'Replay' : shown.rest ? 'Step by step' : cueOf(hasEnded ? room : { ...room, end: null }, shown, yours)}
          text=${spoken && at.text === scene.prompt ? '' : at.text} aside=${spoken ? coach?.inPrompt(hands) : proposal.isAsked ? html`<${ProposalBanner} room=${room} yours=${yours} send=${send} />` : proposal.text}
          hint=${spoken ? null : at.hint} buttons=${at.offered} busy=${at.busy} behind=${isBehind && !film} advice=${coach ? { ...advice, choice: coach.choiceOf(scene) ?? advice.choice } : advice}
          countdown=${room.end ? null : shown.countdown} never=${yours && shown.countdown ? habits.wordsOf(scene.phase) : ''}
          onNever=${() => habits.flip(scene.phase)}
          bar=${film && player && html`<${Later} load=${() => import('./playbar.js')} name="Playbar" film=${film} player=${player} />`}
          news=${newsOf(shown)} theme=${theme} onPress=${at.choose} onSee=${at.see} onRule=${toRules} onUndo=${undo} isAlone=${isAlone}
          onSkip=${skip} onAgain=${scene.viewer !== null && !film && player && player.before() >= 0 ? player.again : null} />`}
      <aside class="rail">
        <${Inspector} scene=${scene} theme=${theme} id=${at.inspected} rules=${at.rules} onRule=${toRules} />
        ${railLog}
      </aside>
      ${around}
    </div>`
}

/** Who helps somebody who is new to the game. @param {RoomMessage | null} room */
function useHelp(room) {
  const [, changed] = useState({}), game = room && room.you !== null && storage.wantsHelp(room.game) ? room.game : ''
  const help = useLoaded(() => import('../learn/help.js').then(m => m.loadHelp(game, () => changed({}))), Boolean(game), true)
  useEffect(() => help?.end, [help])
  return help
}

/** Whether there are seats for which one has invitations. @param {RoomMessage} room */
const hasOpen = room => Object.keys(room.invitations).length > 0

/** The latest that has words. @param {Shown} shown */
const newsOf = ({ told }) => told.slice(-4 * NEWS).filter(t => t.text).slice(-NEWS)
