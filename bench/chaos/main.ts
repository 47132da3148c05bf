/**
 * `npm run chaos -w bench -- [--cluster] [--kills N] [--seed N]`: the story of random kills with more of them, on a single
 * server or on a cluster.
 */
import { parseArgs } from 'node:util'
import { args, isSmoke } from '../support/size.ts'
import { runStories } from '../support/story.ts'

const { values } = parseArgs({
  args,
  options: {
    cluster: { type: 'boolean', default: false },
    kills: { type: 'string', default: isSmoke ? '1' : '100' },
    seed: { type: 'string' },
  },
})

runStories(['--project', 'endurance', 'e2e/endurance/chaos/chaos.spec.ts'], {
  LECTERN_KILLS: values.kills,
  LECTERN_CHAOS: values.cluster ? 'cluster' : 'single',
  ...(values.seed !== undefined && { LECTERN_SEED: values.seed }),
})
