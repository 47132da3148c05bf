import { JOB_KINDS } from '@lectern/protocol/control'
import type { Clock } from '../clock.ts'
import type { Watch } from './watch.ts'

/** For the metrics. */
export const jobReadings = (watch: Pick<Watch, 'count' | 'oldestFreeMs'>, clock: Clock) => ({
  ...Object.fromEntries(
    JOB_KINDS.flatMap(kind =>
      (['queued', 'leased'] as const).map(state => [
        `${kind}_jobs_${state}`,
        { help: `Jobs of the kind ${kind} that are ${state}.`, read: () => watch.count(kind, state) },
      ]),
    ),
  ),
  jobs_oldest_free_seconds: {
    help: 'For how long the oldest job that waits for a worker has been waiting.',
    read: () => (watch.oldestFreeMs === null ? 0 : (clock() - watch.oldestFreeMs) / 1000),
  },
})
