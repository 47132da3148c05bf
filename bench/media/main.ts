import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSmoke, size } from '../support/size.ts'
import { median, spread } from '../support/statistics.ts'
import type { ServerName } from './clients.ts'
import { available, type MediaServer, starts } from './servers.ts'
import { type Measured, Trial } from './trial.ts'

// The same rooms, packets and WebRTC connections on one media worker behind Lectern, on bare mediasoup and on Janus. The
// generator uses more CPU time than the servers, so no server reaches its limit on a small machine: the benchmark compares
// CPU time per forwarded packet at the same load.

const ROUNDS = size('ROUNDS', 5, 1)
const SECONDS = size('SECONDS', 10, 2)
const ROOMS = size('ROOMS', 4, 1)
const PEOPLE = size('PEOPLE', 6, 4)
const SMALL_ROOMS = isSmoke ? 2 : 10
const MORE_PEOPLE = 2
const LEAST_ARRIVED = 0.99

const names = available()

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const trials: Trial[] = []
try {
  for (const name of names) trials.push(new Trial(await starts[name](folder)))
  await measureMemory()
  await measureForwarding()
} finally {
  await Promise.all(trials.map(trial => trial.stop()))
  rmSync(folder, { recursive: true })
}
process.exit() // libdatachannel leaves threads running

async function measureMemory() {
  console.log(`memory, kB: ${SMALL_ROOMS} rooms of 1, then ${SMALL_ROOMS} rooms of ${1 + MORE_PEOPLE}`)
  row(['', 'at first, MB', 'a room with one', 'each further one', 'both with the server'])
  for (const trial of trials) {
    // Warm-up, so that startup costs do not count as costs of a room.
    await trial.enter(1, 2)
    await trial.send(1)
    await trial.leave()
    const steps = [trial.server.memory()]
    for (const people of [1, 1 + MORE_PEOPLE]) {
      await trial.enter(SMALL_ROOMS, people)
      await trial.send(3)
      steps.push(trial.server.memory())
    }
    await trial.leave()
    const [first, second, third] = steps as [Memory, Memory, Memory]
    const prices = (['worker', 'all'] as const).map(key => {
      const room = (1000 * (second[key] - first[key])) / SMALL_ROOMS
      const person = ((1000 * (third[key] - second[key])) / SMALL_ROOMS - room) / MORE_PEOPLE
      return [room.toFixed(0), person.toFixed(0)]
    }) as [string[], string[]]
    row([trial.server.name, first.worker.toFixed(0), ...prices[0], prices[1].join(' + ')])
  }
}

type Memory = ReturnType<MediaServer['memory']>

async function measureForwarding() {
  console.log(`\n${ROOMS} rooms of ${PEOPLE}, everybody sends; ${ROUNDS} rounds of ${SECONDS} s each`)
  const rounds: Record<ServerName, Measured>[] = []
  for (const trial of trials) {
    await trial.enter(ROOMS, PEOPLE)
    await trial.send(2)
    console.log(`  ${trial.server.name} is ready`)
  }
  for (let round = 0; round < ROUNDS; round++) {
    const measured: [ServerName, Measured][] = []
    for (const trial of trials) measured.push([trial.server.name, await trial.send(SECONDS)])
    rounds.push(Object.fromEntries(measured) as Record<ServerName, Measured>)
    console.log(`  round ${round + 1} done`)
  }
  const heads = [
    'packets/s',
    'arrived',
    'µs each',
    'ms/Mbit',
    'packets/s of a core',
    'bare is 1',
    'with the server',
  ]
  row(['', ...heads])
  for (const name of names) {
    const figures = (figure: (measured: Measured) => number) => rounds.map(round => figure(round[name]))
    const ratios = (key: 'worker' | 'all') =>
      spread(
        rounds.map(round => efficiency(round[name], key) / efficiency(round.bare, key)),
        2,
      )
    const arrived = median(figures(({ packets, expected }) => packets / expected))
    row([
      name,
      median(figures(({ packets }) => packets / SECONDS)).toFixed(0),
      `${(100 * arrived).toFixed(1)} %${arrived < LEAST_ARRIVED ? ' !' : ''}`,
      median(figures(each => 1e6 / efficiency(each, 'worker'))).toFixed(1),
      median(figures(({ worker, bytes }) => (1000 * worker) / ((bytes * 8) / 1e6))).toFixed(2),
      median(figures(each => efficiency(each, 'worker'))).toFixed(0),
      ratios('worker'),
      ratios('all'),
    ])
  }
}

/** Forwarded packets per CPU second. */
function efficiency(measured: Measured, key: 'worker' | 'all'): number {
  return measured.packets / measured[key]
}

function row(cells: string[]) {
  const widths = [8, 13, 16, 17, 21, 20, 18, 18]
  console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(' '))
}
