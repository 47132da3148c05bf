import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { busyBelow } from '../support/processes.ts'
import { isSmoke } from '../support/size.ts'
import { type ProcessSample, sampleProcesses } from './processes.ts'
import type { Progress } from './progress.ts'

/** A line of minutes.jsonl. Memory in MB, the mean of the minute; sizes of stores in MB; latencies in ms. */
export interface Minute {
  at: string
  /** Since the start of the load. */
  minute: number
  processes: Record<string, Omit<ProcessSample, 'name'>>
  /** CPU seconds per second: the server with all below it. */
  cpu: number
  stores: Record<string, number>
  chat: Latency | null
  http: Latency | null
  counts: Record<string, number>
  errors: number
  mistakes: number
}

interface Latency {
  count: number
  p50: number
  p99: number
}

export const SAMPLE_MS = isSmoke ? 250 : 5_000
const SAMPLES_OF_A_LINE = 12

/** Samples what the programs use, and writes one line a minute; in a smoke run one every three seconds. */
export class Minutes {
  readonly all: Minute[] = []
  readonly #server: number
  readonly #data: string
  readonly #file: string
  readonly #progress: Progress
  readonly #startedAt = performance.now()
  #samples: ProcessSample[][] = []
  #busy: { seconds: number; at: number }

  constructor(server: number, { data, file }: { data: string; file: string }, progress: Progress) {
    this.#server = server
    this.#data = data
    this.#file = file
    this.#progress = progress
    this.#busy = { seconds: busyOf(server), at: performance.now() }
  }

  /** Call every SAMPLE_MS. */
  sample(): void {
    this.#samples.push(sampleProcesses(this.#server))
    if (this.#samples.length >= SAMPLES_OF_A_LINE) this.#write()
  }

  #write(): void {
    const samples = this.#samples.splice(0)
    const [at, seconds] = [performance.now(), busyOf(this.#server)]
    const cpu = (seconds - this.#busy.seconds) / ((at - this.#busy.at) / 1000)
    this.#busy = { seconds, at }
    const { chat, http, counts, errors, mistakes } = this.#progress
    const minute: Minute = {
      at: new Date().toISOString(),
      minute: Math.round((at - this.#startedAt) / 6_000) / 10,
      processes: means(samples),
      cpu: Math.round(cpu * 1000) / 1000,
      stores: storesOf(this.#data),
      chat: chat.take(),
      http: http.take(),
      counts: { ...counts },
      errors,
      mistakes: mistakes.length,
    }
    this.all.push(minute)
    appendFileSync(this.#file, `${JSON.stringify(minute)}\n`)
    console.log(lineOf(minute))
  }
}

/** A process that exits meanwhile is read again as a part of its parent. */
function busyOf(pid: number): number {
  for (;;) {
    try {
      return busyBelow(pid)
    } catch {
      if (!existsSync(`/proc/${pid}`)) return 0
    }
  }
}

/** Of each process the mean memory of the minute, and the most descriptors and threads. */
function means(samples: ProcessSample[][]): Minute['processes'] {
  const flat = samples.flat()
  const rows = [...new Set(flat.map(({ name }) => name))].map(name => {
    const all = flat.filter(each => each.name === name)
    const memory = all.reduce((sum, each) => sum + each.memory, 0) / all.length
    const row = {
      pid: all.at(-1)?.pid ?? 0,
      memory: Math.round(memory * 10) / 10,
      descriptors: Math.max(...all.map(each => each.descriptors)),
      threads: Math.max(...all.map(each => each.threads)),
    }
    return [name, row] as const
  })
  return Object.fromEntries(rows)
}

/** The size of each entry of the data folder in MB. */
function storesOf(data: string): Record<string, number> {
  const sizes = readdirSync(data).map(
    name => [name, Math.round(sizeOf(join(data, name)) / 1e5) / 10] as const,
  )
  return Object.fromEntries(sizes.filter(([, size]) => size > 0))
}

/** Files vanish while they are counted. */
function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats?.size ?? 0
  try {
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
  } catch {
    return 0
  }
}

function lineOf({ at, processes, cpu, stores, chat, http, counts, errors, mistakes }: Minute): string {
  const programs = Object.entries(processes).map(
    ([name, { memory, descriptors, threads }]) =>
      `${name} ${memory.toFixed(0)} MB/${descriptors} fd/${threads} thr`,
  )
  const latency = (name: string, value: Latency | null) =>
    value ? `${name} ${value.count}: p50 ${value.p50} p99 ${value.p99} ms` : `${name} none`
  const sizes = Object.entries(stores).map(([name, size]) => `${name} ${size}`)
  const counted = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return [
    at.slice(0, 16),
    programs.join(', '),
    `cpu ${cpu}`,
    `MB ${sizes.join(' ')}`,
    latency('chat', chat),
    latency('http', http),
    counted.join(' '),
    `errors ${errors} wrong ${mistakes}`,
  ].join(' | ')
}
