import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { type Service, signIn, startService } from '../support/lectern.ts'
import { size } from '../support/size.ts'
import { median, quantile } from '../support/statistics.ts'
import type { Databases } from './databases.ts'
import { withSender } from './with-sender.ts'

const HISTORY = size('HISTORY', 10_000_000, 20_000)
const DAYS = 30
const READS = size('READS', 300, 20)
const PAGE = 200

/**
 * Prints how long a page of events takes at the beginning, in the middle and at the end of 30 days, then while the oldest
 * day is removed; and how long each batch of that takes.
 */
export const measureHistory = (databases: Databases, folder: string): Promise<void> =>
  withSender(databases, '', 0, async (sender, main) => {
    const service = await startService(mkdtempSync(join(folder, 'service-')), {
      settings: { SVC_DB_URL: main },
    })
    try {
      const begun = performance.now()
      await sender.run('fill', HISTORY, DAYS)
      console.log(
        `${databases.title}: ${HISTORY} events stored in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
      )
      const read = await reader(service)
      const places = { beginning: 0, middle: HISTORY / 2, end: HISTORY - 2 * PAGE }
      for (const [place, after] of Object.entries(places))
        print(`${databases.title}: GET /events at the ${place}`, await read(after))

      let isPruned = false
      const pruning = sender.run('prune', DAYS - 1).finally(() => {
        isPruned = true
      })
      const meanwhile: number[] = []
      do meanwhile.push(...(await read(HISTORY / 2, 10)))
      while (!isPruned)
      print(`${databases.title}: meanwhile GET /events`, meanwhile)
      const batches = await pruning
      print(`${databases.title}: a day removed in ${batches.length} batches`, batches)
    } finally {
      await service.program.stop()
    }
  })

async function reader(service: Service) {
  const headers = { authorization: `Bearer ${await signIn(service)}` }
  return async (after: number, reads = READS): Promise<number[]> => {
    const times: number[] = []
    for (let i = 0; i < reads; i++) {
      const begun = performance.now()
      const answer = await fetch(`${service.url}/api/v2/integration/events?limit=${PAGE}&after=${after}`, {
        headers,
      })
      const { events } = (await answer.json()) as { events: unknown[] }
      times.push(performance.now() - begun)
      if (events.length !== PAGE) throw new Error(`${events.length} events instead of ${PAGE}`)
    }
    return times
  }
}

const print = (title: string, times: number[]) =>
  console.log(
    `${title}: median ${median(times).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`,
  )
