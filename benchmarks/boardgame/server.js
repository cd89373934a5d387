// boardgame.io's own server with the game of game.js: node server.js memory | flatfile DIR
// Prints two addresses: the server, and an endpoint with its processor seconds.

const { createServer } = require('node:http');
const { FlatFile, Server } = require('boardgame.io/server');
const { game } = require('./game');

const HOST = '127.0.0.1';

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function main(store, dir) {
  if (store !== 'memory' && store !== 'flatfile') {
    throw new Error('usage: node server.js memory | flatfile DIR');
  }
  const server = Server({
    games: [game],
    origins: [],
    // Its default store is in memory.
    ...(store === 'flatfile' && { db: new FlatFile({ dir }) }),
  });
  const { appServer } = await server.run({ port: 0 });
  const cpu = createServer((_, answer) => answer.end(JSON.stringify({ seconds: cpuSeconds() })));
  cpu.listen(0, HOST, () => {
    const [at, usage] = [appServer, cpu].map((each) => `http://${HOST}:${each.address().port}`);
    console.log(`boardgame.io is at ${at} and reports its CPU time at ${usage}`);
  });
}

main(...process.argv.slice(2));
