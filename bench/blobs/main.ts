import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { median, spread } from '../support/statistics.ts'
import type { Load } from './client.ts'
import { type ServerUnderTest, startLectern, startNginx } from './servers.ts'

// Downloads of whole files and ranges, compared with nginx and the same file. Both servers run all the time and are loaded
// alternately. The file is in the page cache, so the disk is not measured.

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const FILE_BYTES = Number(process.env.FILE_MB ?? 200) * 1e6
const RANGE_BYTES = 1024 * 1024
/** Warm-up, so that V8 has compiled hot functions. */
const WARM_UP_SECONDS = 5

const loads = {
  'whole file': {},
  'ranges of 1 MiB': { rangeBytes: RANGE_BYTES },
} satisfies Record<string, Partial<Load>>

const clients = Array.from({ length: 8 }, () => new Worker(new URL('client.js', import.meta.url)))

interface Figures {
  /** MB (1,000,000 bytes) per second. */
  speed: number
  /** CPU time of the server in milliseconds per 100 MB. */
  busy: number
}

async function load(
  server: ServerUnderTest,
  name: keyof typeof loads,
  connections: number,
  seconds = SECONDS,
) {
  const [begun, busyBefore] = [performance.now(), server.program.busy()]
  const work = async (client: Worker) => {
    const task: Load = { url: server.url, ...server.file, ...loads[name], fileBytes: FILE_BYTES, seconds }
    client.postMessage(task)
    return Number(await once(client, 'message'))
  }
  const counts = await Promise.all(clients.slice(0, connections).map(work))
  const [taken, busy] = [performance.now() - begun, server.program.busy() - busyBefore]
  const bytes = counts.reduce((sum, count) => sum + count, 0)
  return { speed: bytes / 1e3 / taken, busy: (busy * 1e11) / bytes }
}

async function compare(
  [lectern, nginx]: [ServerUnderTest, ServerUnderTest],
  name: keyof typeof loads,
  connections: number,
) {
  const rounds: { ours: Figures; theirs: Figures }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({
      ours: await load(lectern, name, connections),
      theirs: await load(nginx, name, connections),
    })
  const both = (key: keyof Figures) =>
    [rounds.map(({ ours }) => ours[key]), rounds.map(({ theirs }) => theirs[key])].map(each =>
      median(each).toFixed(0),
    )
  const ratios = rounds.map(({ ours, theirs }) => ours.speed / theirs.speed)
  row([name, String(connections), ...both('speed'), spread(ratios, 2), both('busy').join(' / ')])
}

function row(cells: string[]) {
  const widths = [-17, 11, 13, 11, 18, 24]
  console.log(cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join(' '))
}

const pad = (text: string, width: number) => (width < 0 ? text.padEnd(-width) : text.padStart(width))

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const file = join(folder, 'file.bin')
const servers: ServerUnderTest[] = []
try {
  console.log(`a file of ${FILE_BYTES / 1e6} MB; ${ROUNDS} rounds of ${SECONDS} s each; medians`)
  writeFileSync(file, randomFillSync(Buffer.alloc(FILE_BYTES)))
  const lectern = await startLectern(folder, file)
  servers.push(lectern)
  const nginx = await startNginx(join(folder, 'nginx'), file)
  servers.push(nginx)
  for (const server of servers) await load(server, 'ranges of 1 MiB', 8, WARM_UP_SECONDS)
  row(['', 'connections', 'lectern MB/s', 'nginx MB/s', 'ratio (min–max)', 'CPU ms per 100 MB'])
  for (const name of Object.keys(loads) as (keyof typeof loads)[])
    for (const connections of [1, 8]) await compare([lectern, nginx], name, connections)
  console.log(
    `memory: ${servers.map(({ name, program }) => `${name} ${program.memory().toFixed(0)} MB`).join(', ')}`,
  )
} finally {
  await Promise.all(clients.map(client => client.terminate()))
  await Promise.all(servers.map(({ program }) => program.stop()))
  rmSync(folder, { recursive: true })
}
