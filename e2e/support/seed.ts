import { randomInt } from 'node:crypto'
import { onTestFailed } from 'vitest'

/** The seed of the random choices of a test: LECTERN_SEED repeats a run. It is printed with the test, and when it fails. */
export function seedOfRun(): number {
  const seed = Number(process.env.LECTERN_SEED ?? randomInt(2 ** 31))
  console.log(`LECTERN_SEED=${seed}`)
  onTestFailed(() => console.log(`It failed with LECTERN_SEED=${seed}`))
  return seed
}
