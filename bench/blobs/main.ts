import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { median, spread } from '../support/statistics.ts'
import type { Load } from './client.ts'
import { type Peer, startLectern, startNginx } from './peers.ts'

// Whole files and ranges of them, against nginx with a file of the same bytes. Both servers run all the time and are
// loaded in turn. The file is in the page cache, so that the disk is not measured.

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const FILE_BYTES = Number(process.env.FILE_MB ?? 200) * 1e6
const RANGE_BYTES = 1024 * 1024
/** Node compiles what is called often: a server that has just started is not what people meet. */
const WARM_SECONDS = 5

const loads = {
  'whole file': {},
  'ranges of 1 MiB': { rangeBytes: RANGE_BYTES },
} satisfies Record<string, Partial<Load>>

const clients = Array.from({ length: 8 }, () => new Worker(new URL('client.js', import.meta.url)))

interface Figures {
  /** MB (1,000,000 bytes) in a second. */
  speed: number
  /** Milliseconds of the server's processor time for each 100 MB. */
  busy: number
}

async function load(peer: Peer, name: keyof typeof loads, connections: number, seconds = SECONDS) {
  const [begun, busyBefore] = [performance.now(), peer.program.busy()]
  const work = async (client: Worker) => {
    const task: Load = { url: peer.url, ...peer.file, ...loads[name], fileBytes: FILE_BYTES, seconds }
    client.postMessage(task)
    return Number(await once(client, 'message'))
  }
  const counts = await Promise.all(clients.slice(0, connections).map(work))
  const [taken, busy] = [performance.now() - begun, peer.program.busy() - busyBefore]
  const bytes = counts.reduce((sum, count) => sum + count, 0)
  return { speed: bytes / 1e3 / taken, busy: (busy * 1e11) / bytes }
}

async function compare([lectern, nginx]: [Peer, Peer], name: keyof typeof loads, connections: number) {
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
const peers: Peer[] = []
try {
  console.log(`a file of ${FILE_BYTES / 1e6} MB; ${ROUNDS} rounds of ${SECONDS} s each; medians`)
  writeFileSync(file, randomFillSync(Buffer.alloc(FILE_BYTES)))
  const lectern = await startLectern(folder, file)
  peers.push(lectern)
  const nginx = await startNginx(join(folder, 'nginx'), file)
  peers.push(nginx)
  for (const peer of peers) await load(peer, 'ranges of 1 MiB', 8, WARM_SECONDS)
  row(['', 'connections', 'lectern MB/s', 'nginx MB/s', 'ratio (min–max)', 'CPU ms for each 100 MB'])
  for (const name of Object.keys(loads) as (keyof typeof loads)[])
    for (const connections of [1, 8]) await compare([lectern, nginx], name, connections)
  console.log(
    `memory: ${peers.map(({ name, program }) => `${name} ${program.memory().toFixed(0)} MB`).join(', ')}`,
  )
} finally {
  await Promise.all(clients.map(client => client.terminate()))
  await Promise.all(peers.map(({ program }) => program.stop()))
  rmSync(folder, { recursive: true })
}
