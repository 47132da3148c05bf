import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { busyOf } from '../support/processes.ts'
import { size } from '../support/size.ts'
import { median, spread } from '../support/statistics.ts'
import { TaskProcess } from '../support/tasks.ts'
import type { Receivers } from './receivers.ts'
import type { SenderTasks } from './sending.ts'

// Deliveries to 1,000 receivers, of which 10 hang, and the same requests by undici without a queue. Each measurement has a
// new sender and database, so that knowledge about hanging receivers is not carried over.

const ROUNDS = size('ROUNDS', 3, 1)
const SECONDS = size('SECONDS', 25, 1) // longer than the response timeout of the queue
const RECEIVERS = size('RECEIVERS', 1000, 50)
const EACH = size('EACH', 3, 3)
const HANGING = 10
const PER_SECOND = 100
/** The backlog per hanging receiver, so that each always uses its full concurrency. */
const BACKLOG = 10
const ARRIVE_WITHIN_MS = 300_000

const senders = { queue: 'queue.ts', bare: 'bare.ts' }
type SenderName = keyof typeof senders

const pathOf = (script: string) => fileURLToPath(new URL(script, import.meta.url))
const receivers = new TaskProcess<Receivers>(pathOf('receivers.ts'))

interface Burst {
  perSecond: number
  /** CPU time of the sender in milliseconds per delivery. */
  busy: number
}

const burst = (name: SenderName, hanging: number): Promise<Burst> =>
  withSender(name, hanging, async sender => {
    const busyBefore = busyOf(sender.pid)
    const begun = await sender.run('burst', EACH)
    const { count, lastAtMs } = await arrivals(EACH * (RECEIVERS - hanging))
    const busy = ((busyOf(sender.pid) - busyBefore) * 1000) / count
    return { perSecond: (count * 1000) / (lastAtMs - begun), busy }
  })

const steady = (hanging: number) =>
  withSender('queue', hanging, async sender => {
    await sender.run('backlog', hanging, BACKLOG)
    await sender.run('steady', PER_SECOND, SECONDS)
    await sleep(1000)
    return receivers.run('arrivals')
  })

async function withSender<T>(
  name: SenderName,
  hanging: number,
  measure: (sender: TaskProcess<SenderTasks>) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
  const sender = new TaskProcess<SenderTasks>(pathOf(senders[name]))
  try {
    await receivers.run('begin', hanging)
    await sender.run('open', RECEIVERS, url, folder)
    return await measure(sender)
  } finally {
    sender.stop()
    rmSync(folder, { recursive: true })
  }
}

/** Waits for a number of deliveries. */
async function arrivals(count: number) {
  const late = Date.now() + ARRIVE_WITHIN_MS
  for (;;) {
    const come = await receivers.run('arrivals')
    if (come.count >= count) return come
    if (Date.now() > late) throw new Error(`${come.count} of ${count} came`)
    await sleep(100)
  }
}

function row(cells: string[]) {
  const widths = [40, 22, 18]
  console.log(cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' '))
}

const url = await receivers.run('listen')
try {
  console.log(`${RECEIVERS} receivers, ${EACH} deliveries to each at once; ${ROUNDS} rounds`)
  const rounds: Record<'all' | 'hanging' | 'bare', Burst>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      all: await burst('queue', 0),
      hanging: await burst('queue', HANGING),
      bare: await burst('bare', 0),
    })
    console.log(`  round ${round + 1} done`)
  }
  row(['', 'deliveries/s (min–max)', 'ratio (min–max)', 'CPU ms each'])
  for (const [key, title] of [
    ['all', 'Lectern, all answer'],
    ['hanging', `Lectern, ${HANGING} hang`],
    ['bare', 'undici without a queue, all answer'],
  ] as const) {
    const ratios = rounds.map(round => round[key].perSecond / round.bare.perSecond)
    const busy = median(rounds.map(round => round[key].busy)).toFixed(2)
    row([title, spread(rounds.map(round => round[key].perSecond)), spread(ratios, 2), busy])
  }

  console.log(`\n${PER_SECOND} events a second for ${SECONDS} s: until those that answer have them`)
  for (const hanging of [0, HANGING]) {
    const come = await steady(hanging)
    const delay = [`median ${come.median.toFixed(0)} ms`, `p99 ${come.p99.toFixed(0)} ms`]
    row([`${hanging} hang, on ${come.hung} posts`, ...delay])
  }
} finally {
  receivers.stop()
}
