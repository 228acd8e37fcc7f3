// War Zone for two as a game of boardgame.io: the same cards, the same decisions, the same hidden
// hands as src/battlebox/games/war_zone, so that a move here and there is the same thing.
//
// Cards are numbers: 0..9 attacks, 10..15 defences. Turns, phases and stages are the framework's
// own, the deck is a `secret`, hands are in `players`: PlayerView.STRIP_SECRETS hides both.
'use strict';

const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

const ATTACKS = 10;
const HAND = 6;
const HEALTH = 20;
const EXCHANGE = 3;
const CYCLE = 2; // as people play it: Variant 1
const COPIES = [4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2];
// IF RE AR AI SA SN GR TA FL PG, then BW MG TR SS AA GM
const DAMAGE = [5, 2, 4, 4, 3, 3, 3, 6, 4, 3];
const BLOCKED_BY = [10, 11, 12, 14, 10, 13, 12, 13, 11, 15];
const ANSWERS = [6, 9, 1, 2, 3, 4, 5, 0, 7, 8];
const BONUS_HEALTH = [1, 3, 2, 0, 1, 1, 0, 0, 0, 0];
const BONUS_DAMAGE = [0, 1, 1, 2, 3, 2, 2, 1, 2, 3];
const IDLE_LAPS = 10;

const other = (p) => (p === '0' ? '1' : '0');

function drawUp(G, random, p) {
  const hand = G.players[p].hand;
  const deck = G.secret.deck;
  while (hand.length < HAND && deck.length > 0) {
    hand.push(deck.pop());
    if (deck.length === 0) {
      deck.push(...random.Shuffle([...G.pile]));
      G.pile.length = 0;
    }
  }
  G.handSize[p] = hand.length;
  G.deckSize = deck.length;
}

function take(G, p, card) {
  const hand = G.players[p].hand;
  const at = hand.indexOf(card);
  if (at < 0) return false;
  hand.splice(at, 1);
  return true;
}

function play(G, random, p, card) {
  G.pile.push(card);
  G.last = card;
  G.lastBy = p;
  drawUp(G, random, p);
}

// ---- the moves ----------------------------------------------------------------------------------
function exchange({ G, ctx, random, events, playerID }, card) {
  if (G.cycled >= EXCHANGE || !take(G, playerID, card)) return INVALID_MOVE;
  G.secret.deck.unshift(card);
  G.cycled += 1;
  if (G.cycled >= EXCHANGE) keep({ G, ctx, random, events, playerID });
}

function keep({ G, random, events, playerID }) {
  drawUp(G, random, playerID);
  G.cycled = 0;
  G.exchanged += 1;
  if (G.exchanged === 2) events.endPhase();
  else events.endTurn();
}

function attack({ G, random, events, playerID }, card) {
  if (!(card >= 0 && card < ATTACKS) || !take(G, playerID, card)) return INVALID_MOVE;
  const target = other(playerID);
  G.attack = card;
  G.bonus = G.last === ANSWERS[card] && G.lastBy === target;
  G.idle = 0;
  play(G, random, playerID, card);
  events.setActivePlayers({ value: { [target]: 'answer' } });
}

function hold({ G, random, events }) {
  G.idle += 1;
  if (G.idle % 2 === 0) {
    if (G.pile.length > 0) {
      G.secret.deck = random.Shuffle([...G.secret.deck, ...G.pile]);
      G.pile = [];
      G.deckSize = G.secret.deck.length;
    }
    if (G.idle >= 2 * IDLE_LAPS) {
      events.endGame({ winner: G.health[0] >= G.health[1] ? '0' : '1' });
      return;
    }
  }
  events.setActivePlayers({ currentPlayer: 'under' });
}

function block({ G, random, events, playerID }, card) {
  if (BLOCKED_BY[G.attack] !== card || !take(G, playerID, card)) return INVALID_MOVE;
  play(G, random, playerID, card);
  G.attack = null;
  G.bonus = false;
  events.setActivePlayers({ currentPlayer: 'under' });
}

function hit({ G, ctx, events, playerID }) {
  const card = G.attack;
  const attacker = ctx.currentPlayer;
  let damage = DAMAGE[card];
  if (G.bonus) {
    damage += BONUS_DAMAGE[card];
    G.health[attacker] += BONUS_HEALTH[card];
  }
  G.health[playerID] = Math.max(0, G.health[playerID] - damage);
  G.attack = null;
  G.bonus = false;
  if (G.health[playerID] === 0) events.endGame({ winner: attacker });
  else events.setActivePlayers({ currentPlayer: 'under' });
}

function under({ G, random, events, playerID }, card) {
  if (!take(G, playerID, card)) return INVALID_MOVE;
  G.secret.deck.unshift(card);
  G.cycled += 1;
  if (G.cycled >= CYCLE) end({ G, random, events, playerID });
}

function end({ G, random, events, playerID }) {
  drawUp(G, random, playerID);
  G.cycled = 0;
  events.endTurn();
}

const secretly = (move) => ({ move, client: false, redact: true }); // others do not see the card
const openly = (move) => ({ move, client: false });

exports.WarZone = {
  name: 'war_zone',
  minPlayers: 2,
  maxPlayers: 2,
  setup: ({ random }) => {
    const deck = random.Shuffle(COPIES.flatMap((n, card) => Array(n).fill(card)));
    const deal = () => deck.splice(-HAND);
    const players = { 0: { hand: deal() }, 1: { hand: deal() } };
    return {
      secret: { deck },
      players,
      deckSize: deck.length,
      handSize: [HAND, HAND],
      health: [HEALTH, HEALTH],
      pile: [],
      attack: null,
      bonus: false,
      last: null,
      lastBy: null,
      idle: 0,
      cycled: 0,
      exchanged: 0,
    };
  },
  phases: {
    exchange: {
      start: true,
      next: 'war',
      moves: { exchange: secretly(exchange), keep: openly(keep) },
    },
    war: {
      turn: {
        order: {
          first: ({ random }) => random.Die(2) - 1,
          next: ({ ctx }) => (ctx.playOrderPos + 1) % ctx.numPlayers,
        },
        activePlayers: { currentPlayer: 'attack' },
        stages: {
          attack: { moves: { attack: openly(attack), hold: openly(hold) } },
          answer: { moves: { block: openly(block), hit: openly(hit) } },
          under: { moves: { under: secretly(under), end: openly(end) } },
        },
      },
    },
  },
  playerView: PlayerView.STRIP_SECRETS,
};
