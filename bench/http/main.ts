import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { args, isSmoke, size } from '../support/size.ts'
import { median, spread } from '../support/statistics.ts'
import { type ServerUnderTest, startBare, startLectern } from './servers.ts'

// GET status and PUT of rooms, compared with a bare handler with the same queries, without and with the contract. All
// servers run all the time and are loaded alternately. The ratio is that of CPU time per request (user and system), on
// which other load on the machine has little influence; it would also be that of the rates if each server had a core of
// its own.

const ROUNDS = size('ROUNDS', 5, 1)
const SECONDS = size('SECONDS', 4, 1)
const CONNECTIONS = 20
const WARM_UP_SECONDS = isSmoke ? 1 : 2
const BODY = JSON.stringify({ teacher: { display_name: 'Anna' }, student: { display_name: 'Ben' } })
const rooms = '/api/v1/integration/rooms'

let nextRoom = 0

const loads = {
  'GET status': () => ({ method: 'GET' as const, path: `${rooms}/room-0/status` }),
  'PUT of an existing room': () => ({ method: 'PUT' as const, path: `${rooms}/room-0`, body: BODY }),
  'PUT of a new room': () => ({
    method: 'PUT' as const,
    body: BODY,
    setupRequest: (request: autocannon.Request) => ({ ...request, path: `${rooms}/new-${nextRoom++}` }),
  }),
}

/**
 * Keeps this process from sleeping. Waking it costs the server that writes to it several microseconds, which only the slower
 * server would pay: the faster one keeps the client busy.
 */
function stayAwake(): () => void {
  let timer = setImmediate(function again() {
    timer = setImmediate(again)
  })
  return () => clearImmediate(timer)
}

const all = Object.keys(loads) as (keyof typeof loads)[]
const names = all.filter(name => args.length === 0 || args.some(start => name.startsWith(start)))

async function load(server: ServerUnderTest, name: keyof typeof loads, seconds = SECONDS) {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
  const requests = [{ ...loads[name](), headers }]
  const letSleep = stayAwake()
  const busyBefore = server.program.busy()
  const run = autocannon({ url: server.url, connections: CONNECTIONS, duration: seconds, requests })
  const result = await Promise.resolve(run).finally(letSleep)
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.name}: ${result.non2xx} refused, ${result.errors} failed`)
  const cpuMicros = ((server.program.busy() - busyBefore) * 1e6) / result['2xx']
  return { perSecond: result.requests.average, p99: result.latency.p99, cpuMicros }
}

const memory = () =>
  `lectern ${lectern.program.memory().toFixed(0)} MB, bare ${bare.program.memory().toFixed(0)} MB`

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const lectern = await startLectern(folder)
const bare = await startBare(join(folder, 'bare'))
const contract = await startBare(join(folder, 'contract'), true)
try {
  await sleep(2000)
  console.log(`idle: ${memory()}`)
  for (const server of [lectern, bare, contract])
    await load(server, 'PUT of an existing room', WARM_UP_SECONDS)
  console.log(`${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections; medians`)
  console.log(
    'request                  CPU each lectern / bare   ratio (min–max)     lectern/s   bare/s   p99',
  )
  for (const name of names) {
    const rounds: Record<'ours' | 'theirs' | 'contract', Awaited<ReturnType<typeof load>>>[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await load(lectern, name)
      const theirs = await load(bare, name)
      rounds.push({ ours, theirs, contract: await load(contract, name) })
    }
    const column = (read: (round: (typeof rounds)[number]) => number) => median(rounds.map(read)).toFixed(0)
    const cpu = `${column(({ ours }) => ours.cpuMicros)} / ${column(({ theirs }) => theirs.cpuMicros)} µs`
    const ratios = rounds.map(({ ours, theirs }) => theirs.cpuMicros / ours.cpuMicros)
    console.log(
      [
        name.padEnd(26),
        cpu.padStart(16),
        spread(ratios, 2).padStart(23),
        column(({ ours }) => ours.perSecond).padStart(11),
        column(({ theirs }) => theirs.perSecond).padStart(8),
        `${column(({ ours }) => ours.p99)} / ${column(({ theirs }) => theirs.p99)} ms`.padStart(12),
      ].join(' '),
    )
    const kept = rounds.map(each => each.contract.cpuMicros / each.ours.cpuMicros)
    console.log(
      `  with the contract bare ${column(each => each.contract.cpuMicros)} µs, ratio ${spread(kept, 2)}`,
    )
  }
  console.log(`after: ${memory()}`)
} finally {
  await Promise.all([lectern, bare, contract].map(({ program }) => program.stop()))
  rmSync(folder, { recursive: true })
}
