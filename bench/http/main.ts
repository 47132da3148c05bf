import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { median, spread } from '../support/statistics.ts'
import { type ServerUnderTest, startBare, startLectern } from './servers.ts'

// GET status and PUT of rooms, compared with a bare handler with the same queries. Both servers run all the time and are
// loaded alternately, so that other load on the machine affects both.

const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 20
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

async function load(server: ServerUnderTest, name: keyof typeof loads, seconds = SECONDS) {
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        ...loads[name](),
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      },
    ],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.name}: ${result.non2xx} refused, ${result.errors} failed`)
  return { perSecond: result.requests.average, p99: result.latency.p99 }
}

const memory = () =>
  `lectern ${lectern.program.memory().toFixed(0)} MB, bare ${bare.program.memory().toFixed(0)} MB`

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const lectern = await startLectern(folder)
const bare = await startBare(join(folder, 'bare'))
try {
  await sleep(2000)
  console.log(`idle: ${memory()}`)
  for (const server of [lectern, bare]) await load(server, 'PUT of an existing room', 2)
  console.log(`${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections; medians`)
  console.log('request                    lectern/s   bare/s   ratio (min–max)    p99 lectern / bare')
  for (const name of Object.keys(loads) as (keyof typeof loads)[]) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      const ours = await load(lectern, name)
      const theirs = await load(bare, name)
      rounds.push({ ours, theirs, ratio: ours.perSecond / theirs.perSecond })
    }
    const ratios = rounds.map(({ ratio }) => ratio)
    console.log(
      [
        name.padEnd(26),
        median(rounds.map(({ ours }) => ours.perSecond))
          .toFixed(0)
          .padStart(8),
        median(rounds.map(({ theirs }) => theirs.perSecond))
          .toFixed(0)
          .padStart(9),
        spread(ratios, 2).padStart(19),
        `${median(rounds.map(({ ours }) => ours.p99))} / ${median(rounds.map(({ theirs }) => theirs.p99))} ms`.padStart(
          16,
        ),
      ].join(' '),
    )
  }
  console.log(`after: ${memory()}`)
} finally {
  await Promise.all([lectern.program.stop(), bare.program.stop()])
  rmSync(folder, { recursive: true })
}
