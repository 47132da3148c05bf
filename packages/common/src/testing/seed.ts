import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * The seed of the random choices of the running test or file: LECTERN_SEED repeats a run. A file that has asked for it is not
 * run again when it fails (setup/vitest.mjs).
 */
export function testSeed(): number {
  const { LECTERN_SEED, LECTERN_RANDOMISED } = process.env
  const { testPath } = expect.getState()
  if (LECTERN_RANDOMISED && testPath) appendFileSync(LECTERN_RANDOMISED, `${testPath}\n`)
  const seed = Number(LECTERN_SEED ?? Date.now() % 2 ** 31)
  console.log(`LECTERN_SEED=${seed}`)
  return seed
}

/** The seeds of a random run: the usual ones, or as many as LECTERN_FUZZ_ROUNDS says, beginning with `testSeed`. */
export function fuzzSeeds(...usual: number[]): number[] {
  const rounds = Number(process.env.LECTERN_FUZZ_ROUNDS ?? 0)
  if (rounds === 0) return usual
  const first = testSeed()
  return Array.from({ length: rounds }, (_, round) => first + round)
}
