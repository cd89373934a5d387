// The least that is a game of four with turns: whoever's turn it is draws a tile, and that was it.

const SEATS = 4;
// As many as turns in a game of ours where everybody plays the best there is: a new match costs the
// server something, and so does the log of a long one.
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
