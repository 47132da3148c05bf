import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { type Program, start } from '../support/program.ts'
import { args, isSmoke, size } from '../support/size.ts'
import { median, spread } from '../support/statistics.ts'
import { TaskProcess } from '../support/tasks.ts'
import type { Figures, Tasks } from './clients.ts'

// Conferences of 2 and of 500 participants, the memory per participant, the time until 1,000 clients have reconnected after
// kill -9, and 8,000 connections that give commands for longer than results are remembered. Broadcasts are compared with a bare `ws` server that sends a text of the same size to as many clients.

const ROUNDS = size('ROUNDS', 5, 1)
const SECONDS = size('SECONDS', 3, 1)
/** Of each member in each round. */
const COMMANDS = size('COMMANDS', 20, 20)
const WARM_UP_COMMANDS = 5
const PAIRS = isSmoke ? 2 : 100
const LARGE_ROOM = isSmoke ? 5 : 500
const CLIENT_COUNT = isSmoke ? 20 : 1000
const PAUSE_MS = isSmoke ? 0 : 10_000
/** A server with many lessons, for longer than the retry window (rule K15). */
const CONNECTIONS = size('CONNECTIONS', 8_000, 20)
const COMMANDS_PER_SECOND = size('COMMANDS_PER_SECOND', 1_000, 100)
const SUSTAINED_SECONDS = size('SUSTAINED_SECONDS', 360, 2)

const parts = { crowd: measureCrowd, pairs: measurePairs, large: measureLargeRoom, many: measureMany }
const selected = args as (keyof typeof parts)[]
const chosen = selected.length > 0 ? selected : (Object.keys(parts) as (keyof typeof parts)[])

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
const guests = new Guests(service)
const clients = new TaskProcess<Tasks>(fileURLToPath(new URL('clients.ts', import.meta.url)))
let lectern = service.program

try {
  for (const [index, part] of chosen.entries()) {
    if (index > 0) await restart()
    await parts[part]()
  }
  console.log(`at the end: lectern ${lectern.memory().toFixed(0)} MB`)
} finally {
  clients.stop()
  await lectern.stop()
  rmSync(folder, { recursive: true })
}

async function restart() {
  await lectern.stop()
  lectern = await service.again()
}

async function measureCrowd() {
  // Warm-up, so that startup costs do not count as costs of participants.
  await clients.run('join', service.url, await guests.invite(20, 2))
  await clients.run('leave')
  const tickets = await guests.invite(CLIENT_COUNT, 2)
  await sleep(PAUSE_MS)
  const before = lectern.memory()
  const joinMs = await clients.run('join', service.url, tickets)
  await sleep(PAUSE_MS)
  const each = ((lectern.memory() - before) * 1000) / CLIENT_COUNT
  console.log(`${CLIENT_COUNT} participants in rooms of 2`)
  console.log(`  joined within      ${(joinMs / 1000).toFixed(1)} s, 50 at a time`)
  console.log(`  memory             ${each.toFixed(0)} kB each, on ${before.toFixed(0)} MB`)

  await lectern.stop('SIGKILL')
  await clients.run('waitForDisconnect')
  lectern = await service.again()
  const reconnectMs = await clients.run('reconnect')
  console.log(`  back after kill -9 ${(reconnectMs / 1000).toFixed(1)} s, all at once`)
  await clients.run('leave')
}

async function measurePairs() {
  await clients.run('join', service.url, await guests.invite(PAIRS * 2, 2))
  console.log(
    `\n${PAIRS} rooms of 2, all clients send ${COMMANDS} commands one after another; ${ROUNDS} rounds`,
  )
  console.log('command                      results/s (min–max)   p99 (min–max), ms')
  for (const [name, title] of [
    ['hand', 'participant.update'],
    ['chat', 'chat.send, stored'],
  ] as const) {
    await clients.run('command', name, WARM_UP_COMMANDS)
    const rounds: Figures[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await clients.run('command', name, COMMANDS))
    const perSecond = spread(rounds.map(each => each.perSecond))
    console.log(title.padEnd(22), perSecond.padStart(25), spread(rounds.map(each => each.p99)).padStart(20))
  }
  await clients.run('leave')
}

async function measureLargeRoom() {
  await clients.run('join', service.url, await guests.invite(LARGE_ROOM, LARGE_ROOM))
  const text = await clients.run('sample')
  const bare = await start([fileURLToPath(new URL('bare.ts', import.meta.url)), text])
  try {
    await clients.run('connectBare', bare.line, LARGE_ROOM)
    console.log(
      `\nA room of ${LARGE_ROOM}, events of ${text.length} characters, alternating with a bare ws server`,
    )
    row(['at a time', 'lectern/s', 'bare/s', 'ratio (min–max)', 'CPU µs each', 'ratio (min–max)', 'p99 ms'])
    for (const atATime of [1, 10]) await compare(bare, atATime)
    await clients.run('leave')
  } finally {
    await bare.stop()
  }
}

/** Whether a server with many participants refuses commands that it cannot remember (rules K14 and K15). */
async function measureMany() {
  const joinMs = await clients.run('join', service.url, await guests.invite(CONNECTIONS, 2))
  const before = lectern.memory()
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, lectern.memory())
  }, 1_000)
  const { sent, refused, perSecond, median, p99 } = await clients
    .run('sustain', COMMANDS_PER_SECOND, SUSTAINED_SECONDS)
    .finally(() => clearInterval(sampling))
  console.log(`\n${CONNECTIONS} connections in rooms of 2, joined within ${(joinMs / 1000).toFixed(1)} s`)
  console.log(`  commands           ${sent} in ${SUSTAINED_SECONDS} s, ${refused} refused`)
  console.log(
    `  results            ${perSecond.toFixed(0)}/s, ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
  )
  console.log(`  memory             ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`)
  await clients.run('leave')
}

interface BroadcastFigures extends Figures {
  /** CPU time of the server in microseconds per event and receiver. */
  busy: number
}

async function compare(bare: Program, atATime: number) {
  const measure = async (target: 'members' | 'bare', seconds: number): Promise<BroadcastFigures> => {
    const program = target === 'bare' ? bare : lectern
    const before = program.busy()
    const figures = await clients.run('broadcast', target, atATime, seconds)
    return { ...figures, busy: (1e6 * (program.busy() - before)) / (figures.perSecond * seconds) }
  }
  for (const target of ['members', 'bare'] as const) await measure(target, 1)
  const rounds: { ours: BroadcastFigures; theirs: BroadcastFigures }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await measure('members', SECONDS), theirs: await measure('bare', SECONDS) })
  const ours = (key: keyof BroadcastFigures) => rounds.map(round => round.ours[key])
  const theirs = (key: keyof BroadcastFigures) => rounds.map(round => round.theirs[key])
  const ratios = (figure: (round: (typeof rounds)[0]) => number) => spread(rounds.map(figure), 2)
  row([
    String(atATime),
    median(ours('perSecond')).toFixed(0),
    median(theirs('perSecond')).toFixed(0),
    ratios(round => round.ours.perSecond / round.theirs.perSecond),
    `${median(ours('busy')).toFixed(1)} / ${median(theirs('busy')).toFixed(1)}`,
    ratios(round => round.theirs.busy / round.ours.busy),
    `${median(ours('p99')).toFixed(0)} / ${median(theirs('p99')).toFixed(0)}`,
  ])
}

function row(cells: string[]) {
  const widths = [9, 11, 9, 18, 16, 18, 14]
  console.log(cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join(' '))
}
