export * from '../board.ts'
