/**
 * `npm run chaos -w bench -- [--cluster] [--kills N] [--seed N]`: the story of random kills with more of them, on a single
 * server or on a cluster.
 */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    cluster: { type: 'boolean', default: false },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string' },
  },
})

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const root = new URL('../..', import.meta.url)
const child = spawn(
  process.execPath,
  [vitest, 'run', '--project', 'endurance', 'e2e/endurance/chaos/chaos.spec.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      LECTERN_KILLS: values.kills,
      LECTERN_CHAOS: values.cluster ? 'cluster' : 'single',
      ...(values.seed !== undefined && { LECTERN_SEED: values.seed }),
    },
  },
)
child.once('exit', code => process.exit(code ?? 1))
