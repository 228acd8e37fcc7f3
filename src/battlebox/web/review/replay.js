// @ts-check
/** A finished match, step by step, as any seat or a spectator saw it. `/replay/ID?seat=0&step=17` */
import { to } from '../place.js'
import { html, useEffect, useMemo, useRef, useState } from '../ui.js'
import { ApiError, get } from '../api.js'
import { linkTo } from '../setup/my_matches.js'
import { frames, wordsOf } from './replay_frames.js'
import { Log } from '../match/log.js'
import { Icon } from '../pieces.js'
import { stepper } from '../match/playback.js'
import { Keys } from '../match/playbar.js'
import { letterOf, seatName } from '../seats.js'
import { Share, isHere } from '../share.js'
import { Plain, Top, showInTab, valueTo } from '../shell.js'
import { tokenOf } from '../storage.js'
import { addStyle, loadTheme, plain } from '../theme.js'
import { SceneView } from '../match/zones.js'
/** @import { RoomMessage } from '../protocol' */
/** @import { PageProps, Theme } from '../types' */

await Promise.all(['/web/pages.css', '/web/match/match.css', '/web/review/replay.css'].map(addStyle)) // zones and log are the match's

/** How long a step is looked at when it plays by itself, by the length of its words. */
const PACE = 700, PER_LETTER = 18

/** @param {PageProps} props */
export default function Page({ path }) {
  const id = path[1] ?? ''
  const [room, setRoom] = useState(/** @type {RoomMessage | null} */ (null))
  const [theme, setTheme] = useState(/** @type {Theme} */ (plain('')))
  const [wrong, setWrong] = useState(/** @type {ApiError | null} */ (null))
  useEffect(() => {
    get(`/api/matches/${encodeURIComponent(id)}`, tokenOf(id)).then(async ({ room }) => {
      showInTab(`${room.title}: replay`)
      setTheme(await loadTheme(room.game))
      setRoom(room)
    }).catch(setWrong)
  }, [id])
  if (wrong) return html`<${Plain} title="No replay" text=${wrong.message} />`
  if (!room) return html`<${Plain} title="Replay" text="Loading …"><span></span><//>`
  if (!room.end) {
    return html`<${Plain} title="Not over yet" text="You can watch the replay when the match has ended.">
      <a class="choice is-main" href=${to(`/match/${id}`)}>${Icon('eye')}<span>Watch it now</span></a><//>`
  }
  return html`<${Replay} id=${id} room=${room} theme=${theme} />`
}

/** Seat and step of the address. @param {RoomMessage} room */
function asked(room) {
  const query = new URLSearchParams(location.search), seat = query.get('seat')
  const known = seat !== null && room.seats.some(s => String(s.seat) === seat)
  const step = Math.max(0, Math.floor(Number(query.get('step'))) || 0)
  return { seat: known ? Number(seat) : null, step }
}

/** @param {string} id @param {number | null} seat @param {number} step */
const address = (id, seat, step) => {
  const query = new URLSearchParams()
  if (seat !== null) query.set('seat', String(seat))
  query.set('step', String(step))
  return to(`/replay/${encodeURIComponent(id)}?${query}`)
}

/** @param {{id: string, room: RoomMessage, theme: Theme}} props */
function Replay({ id, room, theme }) {
  const begun = useMemo(() => asked(room), [])
  const [seat, setSeat] = useState(begun.seat)
  const film = useMemo(() => frames(id, seat, tokenOf(id)), [id, seat])
  const [, redraw] = useState({})
  const [wrong, setWrong] = useState('')
  const stepAt = useRef(begun.step)
  const player = useMemo(() => stepper({
    last: () => film.steps,
    wait: k => {
      const now = film.at(k)
      return now ? PACE + PER_LETTER * wordsOf(now).text.length : Infinity
    },
    show: k => {
      stepAt.current = k
      redraw({})
    },
    changed: () => redraw({}),
    stops: () => film.steps >= 0,
    playing: false,
  }), [film])
  const step = stepAt.current, last = Math.max(0, film.steps), now = film.at(Math.min(step, last))

  useEffect(() => {
    player.to(stepAt.current) // as another sees it
    return player.stop
  }, [player])
  useEffect(() => { // the frame itself, and its neighbours
    let wanted = true
    film.load(step).then(() => {
      if (!wanted) return
      setWrong('')
      if (step > film.steps) player.to(film.steps)
      redraw({})
      player.pump()
      film.ahead(step)
    }, e => {
      if (!wanted) return
      setWrong(e.message)
      player.play(false)
    })
    // not at every step: browsers allow only so many changes of the address
    const timer = setTimeout(() => history.replaceState(null, '', address(id, seat, step)), 250)
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [film, step])

  const words = wordsOf(now), then = step < last ? before(room) : room
  return html`<div class="box is-replay" data-game=${room.game}>
    <a class="skip" href="#scrub">Skip to the slider</a>
    <${Top} title=${room.title} emblem=${theme.emblem} where=${`Replay · ${words.title || '…'}`} />
    <main class="tray">${now ? html`<${SceneView} scene=${now.scene} room=${then} theme=${theme} />` : html`
      <p class="replay-wait felt-note" role=${wrong ? 'alert' : 'status'}>${wrong || 'One moment …'}</p>`}
    </main>
    <section class="paper scrub" id="scrub" aria-label="Replay">
      <p class="said">${words.title && html`<span>${words.title}: </span>`}${words.text}</p>
      <${Keys} film=${{ ...player.film(), at: step, last }} player=${player} isOver />
      <div class="bar">
        <input type="range" min="0" max=${last} value=${step} aria-label="Step"
          aria-valuetext=${`${step} of ${last}. ${words.title}: ${words.text}`} onInput=${valueTo(v => {
            player.play(false)
            player.to(Number(v))
          })} />
        <span class="count">${step} of ${last}</span>
      </div>
    </section>
    <aside class="rail">
      <${View} id=${id} room=${room} seat=${seat} step=${step}
        onSeat=${setSeat} />
      ${now && html`
        <${Log} told=${film.told(step)} fresh=${now.told.length} theme=${theme} room=${room}
          counts=${film.isWhole(step)} />`}
    </aside>
  </div>`
}

/** The room as it was before the end. @param {RoomMessage} room @returns {RoomMessage} */
const before = room => ({
  ...room, end: null, seats: room.seats.map(s => ({ ...s, here: true, resigned: false, replaced: false })),
})

/** As whom it is seen, and the link that shows it so. @param {{id: string, room: RoomMessage, seat: number | null,
 *   step: number, onSeat: (seat: number | null) => void}} props */
function View({ id, room, seat, step, onSeat }) {
  const [sharing, setSharing] = useState(false)
  const [said, setSaid] = useState('')
  const names = room.seats.map(s => seatName(room, s.seat))
  return html`<section class="paper view" aria-label="View">
    <label class="field-label" for="replay-seat">Seen by</label>
    <select id="replay-seat" class="input" onChange=${valueTo(v => onSeat(v === '' ? null : Number(v)))}>
      <option value="" selected=${seat === null}>a spectator</option>
      ${names.map((n, i) => html`<option value=${i} selected=${seat === i}>${letterOf(i)}: ${n}</option>`)}
    </select>
    ${sharing ? html`
        <${Share} label=${`Link to this step${isHere(location.origin) ? ' (works on this machine only)' : ''}`}
          onSay=${setSaid} url=${location.origin + address(id, seat, step)} />
        <p class="hint" role="status">${said}</p>`
      : html`<button type="button" class="choice" onClick=${() => setSharing(true)}>${Icon('link')}
          <span>Share this step</span></button>`}
    <a class="choice" href=${linkTo(id, tokenOf(id))}>${Icon('trophy')}<span>Result and dice</span></a>
  </section>`
}
