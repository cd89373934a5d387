// Load generator: rooms of fast players over real sockets, with a summary as JSON:
// node load.js ADDRESS CPU_ADDRESS ROOMS SECONDS WARM_UP
//
// Every seat has a socket of its own, with nothing above it: boardgame.io's client would also
// compute every move. The current player moves as soon as all four have received the previous
// move. A room whose pool is empty continues with a new match.

const { io } = require('socket.io-client');
const { game, SEATS } = require('./game');

const figures = { moves: 0, games: 0, told: [] };

class Room {
  constructor(address, number) {
    this.number = number;
    this.matches = 0;
    this.sockets = Array.from({ length: SEATS }, (_, seat) => this.connect(address, seat));
    this.got = new Array(SEATS).fill(0);
  }

  connect(address, seat) {
    const socket = io(`${address}/${game.name}`, { transports: ['websocket'], forceNew: true });
    socket.on('update', (match, state) => this.read(seat, match, state));
    return socket;
  }

  // All four enter a match; the first one creates it.
  async enter() {
    this.matches += 1;
    this.match = `room${this.number}-${this.matches}`;
    this.got.fill(0);
    for (const [seat, socket] of this.sockets.entries()) {
      socket.emit('sync', this.match, `${seat}`, undefined, SEATS);
      await this.registered(socket);
    }
  }

  // Only sockets that subscribe to presence receive moves.
  registered(socket) {
    return new Promise((resolve) => {
      const hear = (match) => {
        if (match === this.match) {
          socket.off('matchData', hear);
          resolve();
        }
      };
      socket.on('matchData', hear);
    });
  }

  move(seat, version) {
    const payload = { type: 'draw', args: [], playerID: seat };
    this.version = version;
    this.sent = performance.now();
    this.sockets[seat].emit('update', { type: 'MAKE_MOVE', payload }, version, this.match, seat);
  }

  read(seat, match, state) {
    if (match !== this.match) return;
    this.got[seat] = state._stateID;
    if (Math.min(...this.got) <= this.version) return;
    figures.told.push(performance.now() - this.sent);
    figures.moves += 1;
    this.goOn(state);
  }

  goOn(state) {
    if (state.G.pool > 0) {
      this.move(state.ctx.currentPlayer, state._stateID);
    } else {
      figures.games += 1;
      this.enter().then(() => this.move('0', 0));
    }
  }

  close() {
    for (const socket of this.sockets) socket.disconnect();
  }
}

function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}

async function serverCpu(address) {
  const answer = await fetch(address);
  return (await answer.json()).seconds;
}

function ownCpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

// The counters at one moment.
async function moment(address) {
  const server = await serverCpu(address);
  return { at: performance.now() / 1000, server, clients: ownCpu(), moves: figures.moves };
}

function quantiles(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { median: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

async function main(address, cpuAddress, count, seconds, warmUp) {
  const rooms = Array.from({ length: count }, (_, number) => new Room(address, number));
  await Promise.all(rooms.map((room) => room.enter()));
  for (const room of rooms) room.move('0', 0);
  await sleep(warmUp);
  Object.assign(figures, { games: 0, told: [] });
  const before = await moment(cpuAddress);
  await sleep(seconds);
  const after = await moment(cpuAddress);
  const since = (what) => after[what] - before[what];
  console.log(
    JSON.stringify({
      rooms: count,
      seats: SEATS * count,
      seconds: since('at'),
      moves: since('moves'),
      moves_per_second: since('moves') / since('at'),
      games: figures.games,
      all_told_ms: quantiles(figures.told),
      server_cpu_seconds: since('server'),
      clients_cpu_seconds: since('clients'),
    }),
  );
  for (const room of rooms) room.close();
}

const [address, cpuAddress, ...numbers] = process.argv.slice(2);
main(address, cpuAddress, ...numbers.map(Number));
