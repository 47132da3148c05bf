import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Logger, pino } from 'pino'

/** What this process writes into each line, too. */
const OWN_FIELDS = ['time', 'pid', 'hostname', 'name']
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** Forwards a worker's JSON log lines at their level, and any other output at level info. */
export function forwardLog(output: Readable, log: Logger): void {
  const lines = createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', line => {
    const { level, msg, ...details } = parse(line)
    for (const field of OWN_FIELDS) delete details[field]
    const label = typeof level === 'number' ? pino.levels.labels[level] : level
    log[LEVELS.find(each => each === label) ?? 'info'](
      details,
      typeof msg === 'string' ? msg : 'output of a worker',
    )
  })
  output.on('error', () => lines.close()) // the worker has exited
}

function parse(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // not JSON
  }
  return { line }
}
