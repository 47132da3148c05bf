import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { PAGE_ELEMENTS_MAX } from '@lectern/protocol/control'
import Database from 'better-sqlite3'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { busyOf } from '../support/processes.ts'
import { size } from '../support/size.ts'
import { median, quantile, spread } from '../support/statistics.ts'
import { Drawer, strokeData } from './drawer.ts'

// Strokes that are committed in a second, relative to bare inserts of the same rows, each of them durable; how long a
// commit takes while many draw and hundreds watch; and how long a page with many strokes takes to open.

const ROUNDS = size('ROUNDS', 5, 1)
/** In each round, on a page of its own. */
const STROKES = size('STROKES', 300, 60)
const DRAWERS = size('DRAWERS', 30, 3)
/** All people of the room, who watch: a room has at most 500. */
const WATCHERS = size('WATCHERS', 500, 8)
const SECONDS = size('SECONDS', 20, 2)
const PAGE_STROKES = size('PAGE_STROKES', 2_000, 100)
/** Of each person: somebody draws about two strokes a second. */
const DRAW_EVERY_MS = 500
const IN_FLIGHT = 64

for (const strokes of [STROKES, PAGE_STROKES])
  if (strokes > PAGE_ELEMENTS_MAX) throw new Error(`A page holds at most ${PAGE_ELEMENTS_MAX} strokes`)

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
const guests = new Guests(service)
const enter = async (count: number, name: string) => {
  const drawers: Drawer[] = []
  for (const [i, ticket] of (await guests.invite(count, count)).entries())
    drawers.push(await Drawer.open(service.url, ticket, `${name}${i}`))
  return drawers
}
try {
  await measureCommits()
  await measureLesson()
  await measurePage()
} finally {
  await service.program.stop()
  rmSync(folder, { recursive: true })
}

async function measureCommits() {
  const bare = bareInserts()
  const rounds: { ours: number; theirs: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const drawers = await enter(8, `commit${round}-`)
    const ours = await perSecond(STROKES, IN_FLIGHT, async i => drawers[i % drawers.length]?.draw())
    const theirs = await perSecond(STROKES, 1, async () => bare())
    if (round > 0) rounds.push({ ours, theirs }) // the first one is a warm-up
    for (const drawer of drawers) drawer.close()
  }
  console.log(
    `commits/s ${spread(rounds.map(({ ours }) => ours))}, bare inserts ${spread(rounds.map(({ theirs }) => theirs))}`,
  )
  console.log(
    `  ratio ${spread(
      rounds.map(({ ours, theirs }) => ours / theirs),
      2,
    )}`,
  )
}

/** A durable insert of the same row. */
function bareInserts(): () => void {
  const database = new Database(join(folder, 'bare.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('CREATE TABLE elements (id INTEGER PRIMARY KEY, data TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO elements (data) VALUES (?)')
  return () => void insert.run(JSON.stringify(strokeData))
}

async function measureLesson() {
  const tickets = await guests.invite(WATCHERS, WATCHERS)
  const drawers: Drawer[] = []
  for (const [i, ticket] of tickets.slice(0, DRAWERS).entries())
    drawers.push(await Drawer.open(service.url, ticket, `lesson-${i}`))
  const pages = await Promise.all(drawers.map(async drawer => (await drawer.watch()).page))
  const watchers = new Worker(new URL('watchers.ts', import.meta.url), {
    workerData: { url: service.url, tickets: tickets.slice(DRAWERS) },
  })
  await once(watchers, 'message')
  const [busyBefore, begun] = [busyOf(service.program.pid), performance.now()]
  const latencies: number[] = []
  let started = 0
  const draw = async (drawer: Drawer) => {
    // A lesson that lasts longer ends when its page is full.
    while (performance.now() - begun < SECONDS * 1000 && started++ < PAGE_ELEMENTS_MAX) {
      latencies.push(await drawer.draw())
      await sleep(DRAW_EVERY_MS * (0.5 + Math.random()))
    }
  }
  await Promise.all(drawers.map(draw))
  while (pages.some(({ elements }) => elements.size < latencies.length)) await sleep(5)
  for (let seen = 0; seen < latencies.length; await sleep(5)) {
    watchers.postMessage(null)
    ;[seen] = await once(watchers, 'message')
  }
  const seconds = (performance.now() - begun) / 1000
  const cpu = (busyOf(service.program.pid) - busyBefore) / seconds
  console.log(
    `${DRAWERS} draw, ${WATCHERS} watch: commit p50 ${median(latencies).toFixed(0)} ms, p95 ${quantile(latencies, 0.95).toFixed(0)} ms, ${(latencies.length / seconds).toFixed(0)} strokes/s, ${cpu.toFixed(2)} CPU s a second`,
  )
  for (const drawer of drawers) drawer.close()
  await watchers.terminate()
}

async function measurePage() {
  const drawers = await enter(9, 'page-')
  const reader = drawers.pop() as Drawer
  await perSecond(PAGE_STROKES, IN_FLIGHT, async i => drawers[i % drawers.length]?.draw())
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { page, ms } = await reader.watch()
    if (page.elements.size !== PAGE_STROKES)
      throw new Error(`${page.elements.size} strokes instead of ${PAGE_STROKES}`)
    if (round > 0) times.push(ms)
    page.close()
  }
  console.log(`a page of ${PAGE_STROKES} strokes opens within ${spread(times)} ms`)
  for (const drawer of [...drawers, reader]) drawer.close()
}

async function perSecond(
  count: number,
  inFlight: number,
  run: (i: number) => Promise<unknown>,
): Promise<number> {
  const begun = performance.now()
  let started = 0
  const work = async () => {
    while (started < count) await run(started++)
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return (count * 1000) / (performance.now() - begun)
}
