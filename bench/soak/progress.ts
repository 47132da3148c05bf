import { quantile } from '../support/statistics.ts'

const ERRORS_MAX = 1_000

/** Latencies since the last minute, in milliseconds. */
class Latencies {
  #values: number[] = []

  add(ms: number): void {
    this.#values.push(ms)
  }

  /** Begins the next minute. Null: there was none. */
  take(): { count: number; p50: number; p99: number } | null {
    const values = this.#values.splice(0)
    if (values.length === 0) return null
    const at = (part: number) => Math.round(quantile(values, part) * 10) / 10
    return { count: values.length, p50: at(0.5), p99: at(0.99) }
  }
}

type Count =
  | 'lessons'
  | 'browserLessons'
  | 'joins'
  | 'leaves'
  | 'reconnects'
  | 'directMessages'
  | 'calls'
  | 'requests'
  | 'webhooks'
  | 'refusedWebhooks'

/** What the load has done so far. */
export class Progress {
  readonly chat = new Latencies()
  readonly http = new Latencies()
  readonly counts: Record<Count, number> = {
    ...{ lessons: 0, browserLessons: 0, joins: 0, leaves: 0, reconnects: 0 },
    ...{ directMessages: 0, calls: 0, requests: 0, webhooks: 0, refusedWebhooks: 0 },
  }
  errors = 0
  /** The first errors. */
  readonly examples: string[] = []
  /** Violated invariants. */
  readonly mistakes: string[] = []

  count(what: Count): void {
    this.counts[what] += 1
  }

  /** Something that should have succeeded has failed. */
  failed(what: string, error: unknown): void {
    this.errors += 1
    const text = `${new Date().toISOString()} ${what}: ${error instanceof Error ? error.message : String(error)}`
    if (this.examples.length < ERRORS_MAX) this.examples.push(text)
    console.error(text)
  }

  mistake(text: string): void {
    this.mistakes.push(text)
    console.error(`WRONG: ${text}`)
  }
}
