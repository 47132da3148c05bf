/** Absent in a browser. */
const { process } = globalThis as { process?: { env: Record<string, string | undefined> } }

/** The seed of random choices, printed: LECTERN_SEED repeats a run. */
export function testSeed(): number {
  const seed = Number(process?.env.LECTERN_SEED ?? Date.now() % 2 ** 31)
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
