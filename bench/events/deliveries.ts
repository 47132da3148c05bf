import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { size } from '../support/size.ts'
import { spread } from '../support/statistics.ts'
import { TaskProcess } from '../support/tasks.ts'
import type { Receivers } from '../webhooks/receivers.ts'
import type { SenderTasks } from '../webhooks/sending.ts'
import type { Databases } from './databases.ts'
import { withSender } from './with-sender.ts'

const ROUNDS = size('ROUNDS', 3, 1)
const EVENTS = size('EVENTS', 3_000, 100)
const ACCOUNTS = size('ACCOUNTS', 100, 20)
const SECONDS = size('SECONDS', 25, 1) // longer than the response timeout of the queue
const PER_SECOND = 100
const HANGING = 10
/** Events for each hanging receiver, so that each always uses its full concurrency. */
const BACKLOG = 50
const ARRIVE_WITHIN_MS = 300_000

const pathOf = (script: string) => fileURLToPath(new URL(script, import.meta.url))

/** Prints how many events are stored and delivered in a second, relative to bare inserts and requests in turns with them. */
export async function measureRates(databases: Databases): Promise<void> {
  const rounds: Record<'stored' | 'inserted' | 'delivered' | 'requested', number>[] = []
  for (let round = 0; round < ROUNDS; round++)
    await withReceivers(async (receivers, url) => {
      const ours = await withSender(databases, url, ACCOUNTS, async sender => {
        await sender.run('note', EVENTS)
        const stored = perSecond(await sender.run('publish'))
        const inserted = perSecond(await sender.run('insertBare', EVENTS / 10)) / 10
        const begun = await sender.run('deliver')
        return { stored, inserted, delivered: perSecond((await lastArrival(receivers)) - begun) }
      })
      await receivers.run('begin', 0)
      const bare = new TaskProcess<SenderTasks>(pathOf('../webhooks/bare.ts'))
      await bare.run('open', ACCOUNTS, url, '')
      const begun = await bare.run('burst', EVENTS / ACCOUNTS)
      rounds.push({ ...ours, requested: perSecond((await lastArrival(receivers)) - begun) })
      bare.stop()
    })
  const all = (pick: (round: (typeof rounds)[number]) => number, digits = 0) =>
    spread(rounds.map(pick), digits)
  console.log(
    `${databases.title}: ${all(({ stored }) => stored)} events/s stored, bare inserts ${all(({ inserted }) => inserted)}/s, ratio ${all(({ stored, inserted }) => stored / inserted, 2)}`,
  )
  console.log(
    `${databases.title}: ${all(({ delivered }) => delivered)} events/s delivered, bare requests ${all(({ requested }) => requested)}/s, ratio ${all(({ delivered, requested }) => delivered / requested, 2)}`,
  )
}

/** Prints the delays of events to receivers that answer, without and with others that hang. */
export async function measureHanging(databases: Databases): Promise<void> {
  for (const hanging of [0, HANGING])
    await withReceivers(async (receivers, url) => {
      await receivers.run('begin', hanging)
      await withSender(databases, url, ACCOUNTS, async sender => {
        await sender.run('deliver')
        await sender.run('backlog', hanging, BACKLOG)
        await sender.run('steady', PER_SECOND, SECONDS)
        await sleep(1_000)
      })
      const { median, p99, hung } = await receivers.run('arrivals')
      console.log(
        `${databases.title}: ${hanging} of ${ACCOUNTS} hang, on ${hung} posts: delay of the others ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
      )
    })
}

const perSecond = (ms: number) => (EVENTS * 1000) / ms

async function withReceivers(work: (receivers: TaskProcess<Receivers>, url: string) => Promise<void>) {
  const receivers = new TaskProcess<Receivers>(pathOf('../webhooks/receivers.ts'))
  try {
    await work(receivers, await receivers.run('listen'))
  } finally {
    receivers.stop()
  }
}

/** Waits for all events. Returns when the last one came. */
async function lastArrival(receivers: TaskProcess<Receivers>): Promise<number> {
  const late = Date.now() + ARRIVE_WITHIN_MS
  for (;;) {
    const { count, lastAtMs } = await receivers.run('arrivals')
    if (count >= EVENTS) return lastAtMs
    if (Date.now() > late) throw new Error(`${count} of ${EVENTS} came`)
    await sleep(50)
  }
}
