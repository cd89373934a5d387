// A minimal turn-based game for four: the current player draws a tile, and the turn ends.

const SEATS = 4;
// As many turns as in our game when all players play the best turn: both a new match and the log
// of a long one cost the server time.
const TILES = 32;

function draw({ G, playerID }) {
  G.racks[playerID].push(G.pool);
  G.pool -= 1;
}

const game = {
  name: 'tiles',
  minPlayers: SEATS,
  maxPlayers: SEATS,
  disableUndo: true, // it would keep a second copy of everything
  setup: () => ({ pool: TILES, racks: Array.from({ length: SEATS }, () => []) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { draw },
};

module.exports = { game, SEATS, TILES };
