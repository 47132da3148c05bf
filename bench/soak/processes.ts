import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf } from '../support/processes.ts'

/** One process at one moment. */
export interface ProcessSample {
  /** What it is, with a number where there are several, e.g. `media worker 1`. */
  name: string
  pid: number
  /** Resident memory in MB (1,000,000 bytes). */
  memory: number
  descriptors: number
  threads: number
}

/** What is sampled of all processes with that title together, because they live for seconds only. */
const SHORT_LIVED = new Set(['ffmpeg', 'browser'])

const TITLES: [part: string, name: string][] = [
  ['mediasoup-worker', 'media worker'],
  ['ffmpeg', 'ffmpeg'],
  ['chromium', 'browser'],
  ['chrome', 'browser'],
]

/** Samples the server with all its descendants, and this process with its browsers. */
export function sampleProcesses(server: number): ProcessSample[] {
  const samples = [
    ...sample(server, 'server'),
    ...descendantsOf(server).flatMap(pid => sample(pid, titleOf(pid))),
    ...sample(process.pid, 'bench'),
    ...descendantsOf(process.pid, server).flatMap(pid => sample(pid, titleOf(pid))),
  ]
  return numbered(merged(samples))
}

/** All below a process, except one and those below that one. */
function descendantsOf(pid: number, except = 0): number[] {
  const children = read(() => childrenOf(pid), [])
    .filter(child => child !== except)
    .sort((a, b) => a - b)
  return children.flatMap(child => [child, ...descendantsOf(child, except)])
}

/** Processes that have exited, and shells, have none. */
function titleOf(pid: number): string {
  const command = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '')
    .replaceAll('\0', ' ')
    .trim()
  if (command.startsWith('nice ')) return ''
  return TITLES.find(([part]) => command.includes(part))?.[1] ?? /^lectern (.+)$/.exec(command)?.[1] ?? ''
}

function sample(pid: number, name: string): ProcessSample[] {
  const status = name && read(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '')
  const descriptors = read(() => readdirSync(`/proc/${pid}/fd`).length, 0)
  if (!status || descriptors === 0) return []
  const value = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return [{ name, pid, memory: (value('VmRSS') * 1024) / 1e6, descriptors, threads: value('Threads') }]
}

function merged(samples: ProcessSample[]): ProcessSample[] {
  const result: ProcessSample[] = []
  for (const each of samples) {
    const known = SHORT_LIVED.has(each.name) && result.find(({ name }) => name === each.name)
    if (!known) result.push({ ...each })
    else {
      known.memory += each.memory
      known.descriptors += each.descriptors
      known.threads += each.threads
    }
  }
  return result
}

function numbered(samples: ProcessSample[]): ProcessSample[] {
  const seen = new Map<string, number>()
  return samples.map(each => {
    const isOne = samples.filter(({ name }) => name === each.name).length === 1
    const number = (seen.get(each.name) ?? 0) + 1
    seen.set(each.name, number)
    return isOne ? each : { ...each, name: `${each.name} ${number}` }
  })
}

/** Processes exit while they are read. */
function read<T>(get: () => T, otherwise: T): T {
  try {
    return get()
  } catch {
    return otherwise
  }
}
