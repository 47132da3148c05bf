import { parseArgs } from 'node:util'
import { isSmoke } from '../support/size.ts'

export interface SoakOptions {
  /** When the load ends. */
  endsAtMs: number
  /** The factor of messages and requests per second; 1: about a quarter of a core. */
  load: number
  seed: number
  /** Minutes between lessons with browsers; 0: there are none. */
  browserMinutes: number
  /** Folder of the results; the data of the programs is in a temporary folder. */
  output: string
}

const MS_PER_HOUR = 3_600_000

export const USAGE = `npm run soak -w bench -- [options]
  --hours N      how long the load lasts; default: 2
  --until HH:MM  ends at this local time instead
  --load N       factor of the load; default: 1, about a quarter of a core
  --browsers N   a lesson with two browsers every N minutes; default: 0, none
  --seed N       repeats the choices of a run
  --output DIR   minutes.jsonl, soak.svg and summary.md; default: soak-results`

/** Throws an error with a readable message for options that make no sense. */
export function readOptions(args: string[], nowMs: number): SoakOptions {
  const { values } = parseArgs({
    args,
    options: {
      hours: { type: 'string', default: isSmoke ? '0.1' : '2' },
      until: { type: 'string' },
      load: { type: 'string', default: '1' },
      browsers: { type: 'string', default: '0' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      output: { type: 'string', default: 'soak-results' },
    },
  })
  const number = (name: 'hours' | 'load' | 'browsers' | 'seed', min: number, max: number): number => {
    const value = Number(values[name])
    if (!(value >= min && value <= max)) throw new Error(`--${name} is a number from ${min} to ${max}`)
    return value
  }
  const hours = number('hours', 0.01, 1_000)
  return {
    endsAtMs: values.until === undefined ? nowMs + hours * MS_PER_HOUR : nextTime(values.until, nowMs),
    load: number('load', 0.1, 100),
    seed: number('seed', 0, 2 ** 31),
    browserMinutes: number('browsers', 0, 1_000),
    output: values.output,
  }
}

/** The next moment with this local time. */
function nextTime(text: string, nowMs: number): number {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour === undefined) throw new Error('--until is a time such as 04:30')
  const time = new Date(nowMs)
  time.setHours(Number(hour), Number(minute), 0, 0)
  if (time.getTime() <= nowMs) time.setDate(time.getDate() + 1)
  return time.getTime()
}
