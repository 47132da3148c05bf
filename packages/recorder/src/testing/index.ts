export { boardCost } from './board-cost.ts'
