import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { available, starts } from '../media/servers.ts'
import { type Measured, Trial } from '../media/trial.ts'
import { size } from '../support/size.ts'
import { median } from '../support/statistics.ts'
import { measurePages } from './pages.ts'

/**
 * A class in which everybody has a camera: the time until all are in, and the CPU time of forwarded packets, on Lectern, on
 * bare mediasoup and on Janus with the same WebRTC clients and packets; then what a page of the class costs. Needs idle
 * cores. The generator needs more CPU time than the servers, so that SLOWDOWN divides the packet rates.
 */
const PEOPLE = size('PEOPLE', 30, 4)
const ROUNDS = size('ROUNDS', 3, 1)
const SECONDS = size('SECONDS', 8, 1)
const SLOWDOWN = size('SLOWDOWN', 15, 1)

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
try {
  console.log(
    `${PEOPLE} people with cameras; ${ROUNDS} rounds of ${SECONDS} s, packet rates divided by ${SLOWDOWN}`,
  )
  row(['', 'all in after, s', 'packets/s', 'arrived', 'worker, µs each', 'with the server'])
  for (const name of available()) {
    const trial = new Trial(await starts[name](folder))
    try {
      await measureForwarding(trial)
    } finally {
      await trial.stop()
    }
  }
  await measurePages(join(folder, 'pages'), PEOPLE)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit() // libdatachannel leaves threads running

async function measureForwarding(trial: Trial) {
  const begun = performance.now()
  await trial.enter(1, PEOPLE)
  const inAfter = (performance.now() - begun) / 1000
  await trial.send(1, SLOWDOWN)
  const rounds: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await trial.send(SECONDS, SLOWDOWN))
  const each = (part: 'worker' | 'all') => median(rounds.map(one => (1e6 * one[part]) / one.packets))
  row([
    trial.server.name,
    inAfter.toFixed(1),
    median(rounds.map(({ packets }) => packets / SECONDS)).toFixed(0),
    `${median(rounds.map(({ packets, expected }) => (100 * packets) / expected)).toFixed(1)} %`,
    each('worker').toFixed(1),
    each('all').toFixed(1),
  ])
}

function row(cells: string[]) {
  console.log(cells.map((cell, column) => cell.padStart(column === 0 ? 8 : 17)).join(' '))
}
