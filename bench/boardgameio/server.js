// Serves War Zone on boardgame.io:  node server.js PORT [DIR]   (DIR: keep matches in files there;
// BATTLEBOX_DATABASE: keep them in PostgreSQL). "ready" on stdout says that it listens.
'use strict';

const { FlatFile, Server } = require('boardgame.io/server');
const { PostgresStore } = require('bgio-postgres');
const { WarZone } = require('./game.js');

const [port, dir] = process.argv.slice(2);
const url = process.env.BATTLEBOX_DATABASE;
const db = url ? new PostgresStore(url, { logging: false }) : dir && new FlatFile({ dir });
const server = Server({
  games: [WarZone],
  origins: ['http://127.0.0.1'],
  ...(db ? { db } : {}),
});
server.run(Number(port), () => console.log('ready'));
