/** Absent in a browser. */
const { process } = globalThis as { process?: NodeJS.Process }

/**
 * The seed of the random choices of the running file: LECTERN_SEED repeats a run. It is printed, and the file is not run a
 * second time when it fails: a seed that fails is a failure (setup/vitest.mjs).
 */
export function testSeed(): number {
  const { LECTERN_SEED, LECTERN_RANDOMISED, LECTERN_TEST_FILE } = process?.env ?? {}
  if (LECTERN_RANDOMISED && LECTERN_TEST_FILE)
    process?.getBuiltinModule('node:fs').appendFileSync(LECTERN_RANDOMISED, `${LECTERN_TEST_FILE}\n`)
  const seed = Number(LECTERN_SEED ?? Date.now() % 2 ** 31)
  console.log(`LECTERN_SEED=${seed}`)
  return seed
}

/** The seeds of a random run: the usual ones, or as many as LECTERN_FUZZ_ROUNDS says, beginning with `testSeed`. */
export function fuzzSeeds(...usual: number[]): number[] {
  const rounds = Number(process?.env.LECTERN_FUZZ_ROUNDS ?? 0)
  if (rounds === 0) return usual
  const first = testSeed()
  return Array.from({ length: rounds }, (_, round) => first + round)
}
