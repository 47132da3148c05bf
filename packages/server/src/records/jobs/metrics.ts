import { JOB_KINDS } from '@lectern/protocol/control'
import type { JobStore } from '../stores/jobs.ts'
import type { JobScheduler } from './job-scheduler.ts'

interface JobMetricsOptions {
  store: Pick<JobStore, 'countUnfinished'>
  scheduler: Pick<JobScheduler, 'longestWaitMs'>
}

export const jobMetrics = ({ store, scheduler }: JobMetricsOptions) => ({
  ...Object.fromEntries(
    JOB_KINDS.flatMap(kind =>
      (['queued', 'leased'] as const).map(state => [
        `${kind}_jobs_${state}`,
        {
          help: `Jobs of the kind ${kind} that are ${state}.`,
          read: async () => {
            const counts = await store.countUnfinished()
            return counts.find(each => each.kind === kind && each.state === state)?.count ?? 0
          },
        },
      ]),
    ),
  ),
  jobs_oldest_free_seconds: {
    help: 'Waiting time of the oldest job that no worker holds.',
    read: () => scheduler.longestWaitMs / 1000,
  },
})
