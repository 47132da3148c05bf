import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isSmoke, size } from '../support/size.ts'
import { median, spread } from '../support/statistics.ts'
import type { Load } from './client.ts'
import { type ServerUnderTest, startServers } from './servers.ts'

// Downloads of whole files and ranges from Lectern, and from Lectern behind nginx, compared with nginx and the same file. All
// servers run all the time and are loaded alternately. The file is in the page cache, so the disk is not measured.

const ROUNDS = size('ROUNDS', 5, 1)
const SECONDS = size('SECONDS', 4, 0.2)
const FILE_BYTES = size('FILE_MB', 200, 4) * 1e6
const RANGE_BYTES = 1024 * 1024
/** Warm-up, so that V8 has compiled hot functions. */
const WARM_UP_SECONDS = isSmoke ? 0.2 : 5

const loads = {
  'whole file': {},
  'ranges of 1 MiB': { rangeBytes: RANGE_BYTES },
} satisfies Record<string, Partial<Load>>

const clients = Array.from({ length: 8 }, () => new Worker(new URL('client.ts', import.meta.url)))

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
  const busyNow = () => server.programs.reduce((sum, program) => sum + program.busy(), 0)
  const [begun, busyBefore] = [performance.now(), busyNow()]
  const work = async (client: Worker) => {
    const task: Load = { url: server.url, ...server.file, ...loads[name], fileBytes: FILE_BYTES, seconds }
    client.postMessage(task)
    return Number(await once(client, 'message'))
  }
  const counts = await Promise.all(clients.slice(0, connections).map(work))
  const [taken, busy] = [performance.now() - begun, busyNow() - busyBefore]
  const bytes = counts.reduce((sum, count) => sum + count, 0)
  return { speed: bytes / 1e3 / taken, busy: (busy * 1e11) / bytes }
}

async function compare(servers: ServerUnderTest[], name: keyof typeof loads, connections: number) {
  const rounds: Figures[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const figures: Figures[] = []
    for (const server of servers) figures.push(await load(server, name, connections))
    rounds.push(figures)
  }
  for (const [index, server] of servers.entries()) {
    const medianOf = (key: keyof Figures) => median(rounds.map(round => round[index]?.[key] ?? 0)).toFixed(0)
    // The last server is nginx.
    const ratios = rounds.map(round => (round[index]?.speed ?? 0) / (round.at(-1)?.speed ?? 0))
    row([name, String(connections), server.name, medianOf('speed'), spread(ratios, 2), medianOf('busy')])
  }
}

function row(cells: string[]) {
  const widths = [-17, 11, 13, 7, 18, 17]
  console.log(cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join(' '))
}

const pad = (text: string, width: number) => (width < 0 ? text.padEnd(-width) : text.padStart(width))

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const file = join(folder, 'file.bin')
const servers: ServerUnderTest[] = []
try {
  console.log(`a file of ${FILE_BYTES / 1e6} MB; ${ROUNDS} rounds of ${SECONDS} s each; medians`)
  writeFileSync(file, randomFillSync(Buffer.alloc(FILE_BYTES)))
  servers.push(...(await startServers(folder, file)))
  for (const server of servers) await load(server, 'ranges of 1 MiB', 8, WARM_UP_SECONDS)
  row(['', 'connections', 'server', 'MB/s', 'nginx is 1', 'CPU ms per 100 MB'])
  for (const name of Object.keys(loads) as (keyof typeof loads)[])
    for (const connections of [1, 8]) await compare(servers, name, connections)
} finally {
  await Promise.all(clients.map(client => client.terminate()))
  await Promise.all([...new Set(servers.flatMap(({ programs }) => programs))].map(program => program.stop()))
  rmSync(folder, { recursive: true })
}
