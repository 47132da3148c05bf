/**
 * Values of a span: ids, names of operations, numbers. They leave the server, so they MUST NOT be or contain secrets,
 * tokens, links, addresses, names of people or texts.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** A traced operation that runs. */
export interface Span {
  set(attributes: Attributes): void
  /** `reason`: a code or the name of an error, never its message. */
  fail(reason: string): void
  end(): void
}

interface SpanAbout {
  kind?: 'server' | 'client'
  attributes?: Attributes
}

export interface SpanOptions extends SpanAbout {
  /** The W3C `traceparent` of the sender; malformed ones are ignored. */
  traceparent?: unknown
  /** The id of the long-lived operation that it is a part of, as in `record`. */
  partOf?: string | undefined
}

/** An operation that is over. Times are Unix milliseconds. */
export interface PastSpan extends SpanAbout {
  name: string
  startedAtMs: number
  endedAtMs: number
  failure?: string | undefined
  /** A long-lived operation with an id, such as a job: its spans form one trace, whichever processes record them. */
  operation?: { id: string; is: 'whole' | 'part' }
}

/** Records what the server does and how long it takes (docs/observability.md). No method throws. */
export interface Tracing {
  readonly isOn: boolean
  /** Runs the work within a new span. What the work throws is thrown, and recorded by its code or its name. */
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>
  /** The caller ends it. Without a `traceparent` and `partOf` it belongs to the current span, if there is one. */
  start(name: string, options: SpanOptions): Span
  /** Runs the work with this span as the current one. */
  within<T>(span: Span, work: () => T): T
  /** Without an `operation` it belongs to the current span, and is dropped if there is none. */
  record(span: PastSpan): void
  /** The W3C `traceparent` of the current span, for requests to others. */
  readonly traceparent: string | undefined
}

const noSpan: Span = { set: () => {}, fail: () => {}, end: () => {} }

/** Used while traces are off. */
export const noTracing: Tracing = {
  isOn: false,
  run: (_name, _options, work) => work(noSpan),
  start: () => noSpan,
  within: (_span, work) => work(),
  record: () => {},
  traceparent: undefined,
}
