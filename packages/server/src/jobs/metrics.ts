import { JOB_KINDS } from '@lectern/protocol/control'
import type { Clock } from '../clock.ts'
import type { JobScheduler } from './job-scheduler.ts'

export const jobMetrics = (scheduler: Pick<JobScheduler, 'count' | 'oldestFreeSinceMs'>, clock: Clock) => ({
  ...Object.fromEntries(
    JOB_KINDS.flatMap(kind =>
      (['queued', 'leased'] as const).map(state => [
        `${kind}_jobs_${state}`,
        { help: `Jobs of the kind ${kind} that are ${state}.`, read: () => scheduler.count(kind, state) },
      ]),
    ),
  ),
  jobs_oldest_free_seconds: {
    help: 'Waiting time of the oldest job that no worker holds.',
    read: () => (scheduler.oldestFreeSinceMs === null ? 0 : (clock() - scheduler.oldestFreeSinceMs) / 1000),
  },
})
