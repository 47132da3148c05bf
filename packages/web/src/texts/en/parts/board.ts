/** The texts of the board, which load with its code. */
export * from '../board.ts'
