// Serves War Zone on boardgame.io:  node server.js PORT [DIR]   (DIR: keep matches in files there).
// "ready" on stdout says that it listens.
'use strict';

const { FlatFile, Server } = require('boardgame.io/server');
const { WarZone } = require('./game.js');

const [port, dir] = process.argv.slice(2);
const server = Server({
  games: [WarZone],
  origins: ['http://127.0.0.1'],
  ...(dir ? { db: new FlatFile({ dir }) } : {}),
});
server.run(Number(port), () => console.log('ready'));
