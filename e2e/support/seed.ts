import { randomInt } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * The seed of the random choices of the running test: LECTERN_SEED repeats a run. It is printed, and the file is not
 * run a second time when it fails: a seed that fails is a failure (setup/vitest.mjs).
 */
export function testSeed(): number {
  const { LECTERN_SEED, LECTERN_RANDOMISED } = process.env
  const { testPath } = expect.getState()
  if (LECTERN_RANDOMISED && testPath) appendFileSync(LECTERN_RANDOMISED, `${testPath}\n`)
  const seed = Number(LECTERN_SEED ?? randomInt(2 ** 31))
  console.log(`LECTERN_SEED=${seed}`)
  return seed
}
