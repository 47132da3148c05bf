/** The random runs of the unit tests with more seeds, other ones each time. */
process.env.LECTERN_FUZZ_ROUNDS ??= '6'
await import('./fuzz.test.ts')
