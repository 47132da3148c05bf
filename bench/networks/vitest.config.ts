import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Stories that measure: beside other stories their figures would say nothing. */
export default defineConfig({
  test: {
    root: source('../..'),
    globalSetup: [source('../../packages/server/src/testing/test-run.ts')],
    include: ['e2e/network-quality.measure.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 1,
  },
})
