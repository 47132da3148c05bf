import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Logger, pino } from 'pino'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

/** What a worker logs as JSON lines goes into our log, at its level; anything else that it prints goes, too. */
export function relayLog(output: Readable, log: Logger): void {
  const lines = createInterface({ input: output, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', line => {
    const { level, msg, time: _, pid: __, hostname: ___, name: ____, ...details } = parse(line)
    const label = typeof level === 'number' ? pino.levels.labels[level] : level
    log[LEVELS.find(each => each === label) ?? 'info'](
      details,
      typeof msg === 'string' ? msg : 'a worker has printed this',
    )
  })
  output.on('error', () => lines.close()) // the worker is gone
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
