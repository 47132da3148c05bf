/** Entry point of the board's code, which is loaded when a board is first opened. */
export { Board } from './model/board.ts'
export { BoardView } from './view/BoardView.tsx'
