/** The random runs of the unit tests with more seeds, other ones each time. */
process.env.LECTERN_FUZZ_ROUNDS ??= '6'
await import('./calls/fuzz.test.ts')
await import('./cluster/database-leases.test.ts')
await import('./control/commands/messaging-fuzz.test.ts')
await import('./control/v2/fuzz.test.ts')
await import('./sessions/fuzz.test.ts')
