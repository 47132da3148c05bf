import { createHash, randomBytes } from 'node:crypto'
import type { SpanContext } from '@opentelemetry/api'
import type { IdGenerator } from '@opentelemetry/sdk-trace'

const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8
const SAMPLED = 1

const digest = (text: string, bytes: number) =>
  createHash('sha256').update(text).digest().toString('hex', 0, bytes)

/** The span of a long-lived operation: every process derives the same one from the id of the operation. */
export const spanOf = (operationId: string): SpanContext => ({
  traceId: digest(`trace of ${operationId}`, TRACE_ID_BYTES),
  spanId: digest(`span of ${operationId}`, SPAN_ID_BYTES),
  traceFlags: SAMPLED,
  isRemote: true,
})

/** Random ids, except for the span that is started within `useFor`. */
export class DerivedIds implements IdGenerator {
  #next: SpanContext | null = null

  /** `start` MUST start one span, which gets these ids. */
  useFor<T>(context: SpanContext, start: () => T): T {
    this.#next = context
    try {
      return start()
    } finally {
      this.#next = null
    }
  }

  // The SDK detaches these methods.
  generateTraceId = (): string => this.#next?.traceId ?? randomBytes(TRACE_ID_BYTES).toString('hex')
  generateSpanId = (): string => this.#next?.spanId ?? randomBytes(SPAN_ID_BYTES).toString('hex')
}
