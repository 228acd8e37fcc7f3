// @ts-check
/** The first page: choose a game, say who plays, begin. Only what the server lists is offered. */
import { to } from '../place.js'
import { html, useEffect, useLayoutEffect, useState } from '../ui.js'
import { ApiError, get, post } from '../api.js'
import { Join, MyMatches, linkTo } from './my_matches.js'
import { FaceDown, Icon, PieceView, SeatMark } from '../pieces.js'
import {
  begin, inviting, modeOf, players, request, watching, withMode, withPlayers, withSeat,
} from './setup.js'
import { Dialog, FieldError, Later, Tool, Top, showInTab, valueTo } from '../shell.js'
import * as storage from '../storage.js'
import { addStyle, loadTheme, plain } from '../theme.js'
/** @import { PageProps, Theme } from '../types' */
/** @import { Game, Setup } from './setup.js' */

await addStyle('/web/pages.css')

// ---- the last set-ups ---------------------------------------------------------------------------
/** The game chosen last; '' at first. @returns {string} */
const lastGame = () => storage.read('game', '')
/** @param {string} game */
const keepGame = game => storage.write('game', game)

/**
 * How a game was set up last; the empty object at first.
 * @param {string} game
 * @returns {Record<string, any>}
 */
const lastSetup = game => storage.read('setups', {})[game] ?? {}

/** @param {string} game @param {Record<string, any>} setup */
const keepSetup = (game, setup) => storage.write('setups', { ...storage.read('setups', {}), [game]: setup })

/**
 * What else this tab keeps of the home page until a match begins: of each game what is set up for one match
 * only, whether more options are shown, and how far the page and its sheet are scrolled.
 * @typedef {{extra: Record<string, any>, more: boolean, tops: number[]}} Draft
 * @returns {Draft}
 */
const draft = () => ({ extra: {}, more: false, tops: [], ...storage.read('draft', {}, storage.TAB) })
/** @param {Partial<Draft>} change */
const keepDraft = change => storage.write('draft', { ...draft(), ...change }, storage.TAB)
const dropDraft = () => storage.write('draft', {}, storage.TAB)

// ---- the page ---------------------------------------------------------------------------------------
/** @param {PageProps} props */
export default function Page({ go }) {
  const [games, setGames] = useState(/** @type {Game[] | null} */ (null))
  const [wrong, setWrong] = useState('')
  const [chosen, setChosen] = useState(lastGame())
  const [settling, setSettling] = useState(false)
  const load = () => {
    setWrong('')
    get('/api/games').then(setGames, e => setWrong(e.message))
  }
  useEffect(() => {
    showInTab('battlebox')
    load()
  }, [])
  useScrolled(games !== null)
  const choose = (/** @type {string} */ name) => {
    keepGame(name)
    setChosen(name)
  }
  const game = games?.find(g => g.name === chosen) ?? games?.[0]
  return html`<div class="box is-home" data-count=${games?.length}>
    <a class="skip" href="#setup">Skip to the set-up</a>
    <${Top} where=${tagline(games)}>
      <${Tool} icon="dots" label="Settings" onClick=${() => setSettling(true)} />
    <//>
    ${settling && html`
      <${Dialog} title="Settings" onClose=${() => setSettling(false)}>
        <${Later} load=${() => import('../settings.js')} name="Settings" />
      <//>`}
    <main class="insert" aria-label="Choose a game">
      ${games?.map(g => html`<${Bay} key=${g.name} game=${g} on=${g === game} only=${games.length === 1}
        onChoose=${() => choose(g.name)} />`)}
      ${wrong && html`<div class="tray home-wrong" role="alert"><div class="paper">
        <h2>The games could not be loaded</h2><p>${wrong}</p>
        <button type="button" class="choice is-main" onClick=${load}><span>Try again</span></button>
      </div></div>`}
      ${!games && !wrong && html`<div class="tray home-wrong" role="status">
        <p class="felt-note">Loading the games …</p></div>`}
    </main>
    <div class="shelf"><${MyMatches} /></div>
    ${game ? html`<${SetUp} key=${game.name} game=${game} go=${go} />` : html`<div class="setup" id="setup"></div>`}
    <${Join} go=${go} />
  </div>`
}

/** The page is scrolled as one left it, when it is as long again. @param {boolean} ready */
function useScrolled(ready) {
  useLayoutEffect(() => {
    if (!ready) return
    const boxes = () => ['html', '.setup-body'].map(x => document.querySelector(x))
    const keep = () => keepDraft({ tops: boxes().map(b => b?.scrollTop ?? 0) })
    const { tops } = draft(), parts = document.querySelectorAll('.shelf, .more')
    const watching = new ResizeObserver(() => boxes().forEach((b, i) => b?.scrollTo(0, tops[i] ?? 0)))
    if (tops.some(Boolean)) parts.forEach(part => watching.observe(part)) // what comes late
    const acts = ['wheel', 'pointerdown', 'keydown'], seen = () => watching.disconnect()
    acts.forEach(act => addEventListener(act, seen))
    document.addEventListener('click', keep, true) // before it leads away
    addEventListener('pagehide', keep)
    return () => {
      seen()
      acts.forEach(act => removeEventListener(act, seen))
      document.removeEventListener('click', keep, true)
      removeEventListener('pagehide', keep)
    }
  }, [ready])
}

const COUNTS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** "Five tabletop battle games in one box". @param {Game[] | null} games */
const tagline = games => games
  ? `${COUNTS[games.length] ?? games.length} tabletop battle game${games.length === 1 ? '' : 's'} in one box` : ''

// ---- the compartments ---------------------------------------------------------------------------
/** @param {{game: Game, on: boolean, only: boolean, onChoose: () => void}} props */
function Bay({ game, on, only, onChoose }) {
  const [theme, setTheme] = useState(plain(game.name))
  useEffect(() => { loadTheme(game.name).then(setTheme) }, [game.name])
  const inner = html`<span class="bay-art" aria-hidden="true"><${Art} theme=${theme} /></span>
    <span class="bay-say"><b>${game.title}</b><span>${players(game)}</span></span>`
  return only ? html`<div class="bay" data-game=${game.name}>${inner}</div>`
    : html`<button type="button" class="bay" data-game=${game.name} aria-pressed=${on ? 'true' : 'false'}
      onClick=${onChoose}>${inner}</button>`
}

/** The drawing or the cards of a game's theme; without any, three face down. @param {{theme: Theme}} props */
function Art({ theme }) {
  if (theme.picture) return html`<img class="bay-picture" src=${to(theme.picture)} alt="" />`
  const tile = (theme.tile ?? []).map(card => (
    { kind: 'card', code: '', value: '', text: '', count: 1, id: card.name, label: card.name, ...card }
  ))
  return tile.length ? html`${tile.map(piece => html`<${PieceView} piece=${piece} theme=${theme} />`)}`
    : html`${[1, 2, 3].map(() => FaceDown(theme))}`
}

// ---- the set-up ---------------------------------------------------------------------------------
/** What is wrong, and at which field. @typedef {{where: string, text: string}} Wrong */

/** The field an error names: "options.hand_size" is hand_size. @param {ApiError} e @returns {Wrong} */
const wrongOf = e => ({
  where: e.where.split('.').find(x => x && x !== 'options' && x !== 'body') ?? '', text: e.message,
})

/** What is set up for a single match. */
const NO_EXTRA = { deck: '', deckName: '', seed: '', delay: '' }

/** @param {{game: Game, go: (url: string) => void}} props */
function SetUp({ game, go }) {
  const [setup, setSetup] = useState(() => begin(game, lastSetup(game.name)))
  const [name, setName] = useState(storage.myName())
  const [extra, setExtra] = useState({ ...NO_EXTRA, ...draft().extra[game.name] })
  const [wrong, setWrong] = useState(/** @type {Wrong | null} */ (null))
  const [busy, setBusy] = useState(false)
  const [rule, setRule] = useState(/** @type {string | null} */ (null))
  useLayoutEffect(() => keepSetup(game.name, setup), [setup])
  useLayoutEffect(() => storage.setMyName(name.trim()), [name])
  useLayoutEffect(() => keepDraft({ extra: { ...draft().extra, [game.name]: extra } }), [extra])
  const at = (/** @type {string} */ where) => wrong?.where === where ? wrong.text : undefined
  const elsewhere = wrong && !fieldsOf(game).has(wrong.where)

  /** @param {string[]} [seats] */
  const play = async seats => {
    if (busy) return
    setBusy(true)
    setWrong(null)
    const more = {
      name: name.trim(), seats, deck: extra.deck, delay: Number(extra.delay),
      seed: extra.seed === '' ? null : Number(extra.seed),
    }
    try {
      const { id, seat, token } = await post('/api/matches', request(game, setup, more))
      dropDraft()
      if (token) {
        storage.remember({ id, token, game: game.name, title: game.title, seat: seat ?? -1, name: more.name })
      }
      go(linkTo(id, token))
    } catch (e) {
      setBusy(false)
      setWrong(e instanceof ApiError ? wrongOf(e) : { where: '', text: String(e) })
    }
  }

  return html`<form class="setup" id="setup" data-game=${game.name} aria-label="Set up the match" novalidate
      onSubmit=${(/** @type {Event} */ e) => { e.preventDefault(); play() }}>
    <div class="setup-body">
      <div><h2>${game.title}</h2><p class="lede">${game.about}</p>
        ${game.lessons > 0 && html`
          <a class="choice learn" href=${to(`/learn/${game.name}`)}>${Icon('hint')}<span>New to it? Learn it by playing</span></a>`}</div>
      ${game.modes.length > 1 && html`<${Modes} game=${game} setup=${setup} setSetup=${setSetup} />`}
      <${Players} game=${game} setup=${setup} setSetup=${setSetup} error=${at('players')} />
      <${Seats} game=${game} setup=${setup} setSetup=${setSetup} name=${name} setName=${setName}
        error=${at('seats') ?? at('name')} />
      <${More} game=${game} setup=${setup} setSetup=${setSetup} extra=${extra} setExtra=${setExtra}
        at=${at} open=${Boolean(wrong && !elsewhere)} onRule=${setRule} />
    </div>
    <div class="go">
      ${elsewhere && html`<p class="field-error" role="alert">${wrong.text}</p>`}
      <button class="choice is-main" disabled=${busy}>
        ${Icon('play')}<span>${says(setup, busy)}</span></button>
      <div class="three">
        <button type="button" class="choice" disabled=${busy} onClick=${() => play(inviting(setup))}>
          ${Icon('link')}<span>Invite</span></button>
        <button type="button" class="choice" disabled=${busy} onClick=${() => play(watching(game, setup))}>
          ${Icon('eye')}<span>Watch<span class="vh"> bots play</span></span></button>
        <a class="choice" href=${to(`/rules/${game.name}`)}>${Icon('rules')}<span>Rules</span></a>
      </div>
    </div>
    ${rule !== null && html`
      <${Later} load=${() => import('../rules.js')} name="RulesPanel" game=${game.name} id=${rule}
        onClose=${() => setRule(null)} />`}
  </form>`
}

/** @param {Setup} setup @param {boolean} busy */
const says = (setup, busy) => busy ? 'Dealing …' : setup.seats.includes('you') ? 'Play now' : 'Watch now'

/** The fields that can say what is wrong with them. @param {Game} game */
const fieldsOf = game => new Set([
  ...Object.keys(game.options.properties), 'players', 'seats', 'name', 'deck', 'seed', 'delay',
])

/** @typedef {{game: Game, setup: Setup, setSetup: (setup: Setup) => void, error?: string}} Part */

/** @param {Part} props */
const Modes = ({ game, setup, setSetup }) => html`
  <fieldset><legend class="field-label">Mode</legend>
    <div class="seg">${game.modes.map(m => html`<label key=${m.name}>
      <input type="radio" name="mode" checked=${m.name === setup.mode}
        onChange=${() => setSetup(withMode(game, setup, m.name))} />${m.name}</label>`)}
    </div>
    <p class="hint" aria-live="polite">${modeOf(game, setup.mode)?.about}</p></fieldset>`

/** @param {Part} props */
function Players({ game, setup, setSetup, error }) {
  const n = setup.seats.length, [few, many] = game.players
  if (few === many) return null
  const step = (/** @type {number} */ by) => setSetup(withPlayers(game, setup, n + by))
  return html`<div><div class="rowline"><span class="field-label" id="players-label">Players</span>
    <div class="stepper" role="group" aria-labelledby="players-label">
      <button type="button" aria-label="one player fewer" aria-disabled=${n <= few ? 'true' : undefined}
        onClick=${() => step(-1)}>${Icon('minus')}</button>
      <output aria-live="polite">${n}</output>
      <button type="button" aria-label="one player more" aria-disabled=${n >= many ? 'true' : undefined}
        onClick=${() => step(1)}>${Icon('plus')}</button>
    </div></div><${FieldError} id="players" text=${error} /></div>`
}

/** @param {Part & {name: string, setName: (name: string) => void}} props */
function Seats({ game, setup, setSetup, name, setName, error }) {
  const letter = (/** @type {number} */ i) => 'ABCDEFGHIJ'[i]
  return html`<div><ol class="seats" aria-label="Seats">${setup.seats.map((who, i) => html`<li key=${i}>
    ${SeatMark(i)}
    ${who === 'you'
      ? html`<input class="input" aria-label="Your name" placeholder="Your name" maxlength="24"
          autocomplete="nickname" value=${name} onInput=${valueTo(setName)} />`
      : html`<b>${who === 'open' ? 'A friend' : 'Bot'}</b>`}
    <select class="input" aria-label=${`Who plays seat ${letter(i)}`}
      onChange=${valueTo(v => setSetup(withSeat(game, setup, i, v)))}>
      <option value="you" selected=${who === 'you'}>you</option>
      <option value="open" selected=${who === 'open'}>by link</option>
      ${game.levels.map(l => html`<option value=${l} selected=${who === l}>bot, ${l}</option>`)}
    </select></li>`)}</ol><${FieldError} id="seats" text=${error} /></div>`
}

/**
 * @param {Part & {extra: Record<string, string>, setExtra: (extra: any) => void, open: boolean,
 *   at: (where: string) => string | undefined, onRule: (id: string) => void}} props
 */
function More({ game, setup, setSetup, extra, setExtra, at, open, onRule }) {
  const ofMine = [extra.deck, extra.seed, extra.delay].filter(Boolean)
  const changed = Object.keys(setup.changes).length + ofMine.length
  const [shown, setShown] = useState(draft().more)
  useEffect(() => { if (open) setShown(true) }, [open])
  const toggled = (/** @type {any} */ e) => {
    setShown(e.currentTarget.open)
    keepDraft({ more: e.currentTarget.open })
  }
  return html`<details class="more" open=${shown} onToggle=${toggled}>
    <summary>More options${changed > 0 && html`<span class="chip">${changed} changed</span>`}</summary>
    ${shown && html`
      <${Later} load=${() => import('./options.js')} name="Options" game=${game} setup=${setup} setSetup=${setSetup}
        extra=${extra} setExtra=${setExtra} at=${at} wrong=${open} onRule=${onRule} changed=${changed} />`}
  </details>`
}
