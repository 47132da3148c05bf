/** The id of the tile with the board. Nobody's camera or screen is in it. */
export const BOARD_TILE = 'board'
