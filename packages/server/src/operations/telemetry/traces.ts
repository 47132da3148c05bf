import { AsyncLocalStorage } from 'node:async_hooks'
import { Refusal } from '@lectern/protocol'
import * as api from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type TracerProviderOptions,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { PastSpan, Span, SpanOptions, Tracing } from '../../platform/tracing.ts'
import { DerivedIds, spanOf } from './derived-ids.ts'
import { ReportingExporter, type SpanCounts } from './reporting-exporter.ts'

export interface TraceSettings {
  /** The address of a collector. */
  endpoint: string
  headers: Record<string, string>
  sampleRatio: number
  /** Describes this process to the collector. */
  resource: Record<string, string>
  log: Pick<Logger, 'warn' | 'info'>
  /** How long spans wait for others to be sent with. */
  delayMs?: number
}

/** Spans that wait; more are dropped. */
const QUEUE_MAX = 2_048
const BATCH_MAX = 512
const DELAY_MS = 2_000
const EXPORT_TIMEOUT_MS = 5_000
const STOP_TIMEOUT_MS = 3_000
const LIMITS = {
  attributeCountLimit: 32,
  attributeValueLengthLimit: 256,
  eventCountLimit: 8,
  linkCountLimit: 8,
}
const KINDS = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT }
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** Traces that an OpenTelemetry collector gets (OTLP over HTTP). Uses no global state of the API. */
export class Traces implements Tracing {
  readonly isOn = true
  readonly #provider: TracerProvider
  readonly #tracer: api.Tracer
  readonly #current = new AsyncLocalStorage<TracedSpan>()
  readonly #ids = new DerivedIds()
  readonly #exporter: ReportingExporter

  constructor({ endpoint, headers, sampleRatio, resource, log, delayMs = DELAY_MS }: TraceSettings) {
    const otlp = new OTLPTraceExporter({ url: endpoint, headers, timeoutMillis: EXPORT_TIMEOUT_MS })
    this.#exporter = new ReportingExporter(otlp, log)
    // Strangers choose trace ids, so their wish to be sampled counts no more than our share.
    const share = new TraceIdRatioBasedSampler(sampleRatio)
    this.#provider = new TracerProvider({
      idGenerator: this.#ids,
      resource: resourceOf(resource),
      sampler: new ParentBasedSampler({ root: share, remoteParentSampled: share }),
      spanLimits: LIMITS,
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.#exporter,
          maxQueueSize: QUEUE_MAX,
          maxExportBatchSize: BATCH_MAX,
          scheduledDelayMillis: delayMs,
          exportTimeoutMillis: 2 * EXPORT_TIMEOUT_MS,
        }),
      ],
    })
    this.#tracer = this.#provider.getTracer('lectern')
  }

  get counts(): SpanCounts {
    return this.#exporter.counts
  }

  get traceparent(): string | undefined {
    return this.#current.getStore()?.traceparent
  }

  async run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.start(name, options)
    try {
      return await this.within(span, () => work(span))
    } catch (error) {
      if (error instanceof Refusal) span.set({ 'lectern.refusal': error.code })
      else span.fail(nameOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  start(name: string, { kind, attributes = {}, traceparent, partOf }: SpanOptions): TracedSpan {
    const parent =
      partOf !== undefined
        ? api.trace.setSpanContext(api.ROOT_CONTEXT, spanOf(partOf))
        : (contextOf(traceparent) ?? this.#context)
    return new TracedSpan(
      this.#tracer.startSpan(name, { ...(kind && { kind: KINDS[kind] }), attributes }, parent),
    )
  }

  within<T>(span: Span, work: () => T): T {
    return this.#current.run(span as TracedSpan, work)
  }

  record({ name, kind, attributes = {}, startedAtMs, endedAtMs, failure, operation }: PastSpan): void {
    if (!operation && !this.#current.getStore()?.isRecording) return
    const options = { ...(kind && { kind: KINDS[kind] }), attributes, startTime: timeOf(startedAtMs) }
    const start = (context: api.Context) => this.#tracer.startSpan(name, options, context)
    const span = new TracedSpan(
      operation?.is === 'whole'
        ? this.#ids.useFor(spanOf(operation.id), () => start(api.ROOT_CONTEXT))
        : start(operation ? api.trace.setSpanContext(api.ROOT_CONTEXT, spanOf(operation.id)) : this.#context),
    )
    if (failure !== undefined) span.fail(failure)
    span.end(timeOf(endedAtMs))
  }

  /** Sends what waits, for a short time only. */
  async stop(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, STOP_TIMEOUT_MS)
    })
    await Promise.race([this.#provider.shutdown().catch(() => {}), late])
    clearTimeout(timer)
  }

  get #context(): api.Context {
    const current = this.#current.getStore()
    return current ? api.trace.setSpan(api.ROOT_CONTEXT, current.otel) : api.ROOT_CONTEXT
  }
}

class TracedSpan implements Span {
  readonly otel: api.Span

  constructor(otel: api.Span) {
    this.otel = otel
  }

  get isRecording(): boolean {
    return this.otel.isRecording()
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.otel.spanContext()
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }

  set(attributes: api.Attributes): void {
    this.otel.setAttributes(attributes)
  }

  fail(reason: string): void {
    this.otel.setStatus({ code: api.SpanStatusCode.ERROR })
    this.otel.setAttribute('error.type', reason)
  }

  end(at?: api.HrTime): void {
    this.otel.end(at)
  }
}

/** A resource of the SDK. Its own package for resources would have to be the same version everywhere. */
function resourceOf(attributes: Record<string, string>): NonNullable<TracerProviderOptions['resource']> {
  const resource = { attributes, merge: () => resource, getRawAttributes: () => Object.entries(attributes) }
  return resource as unknown as NonNullable<TracerProviderOptions['resource']>
}

/** The context of a W3C `traceparent`; undefined for anything else. Ids of zeros are invalid, too. */
function contextOf(traceparent: unknown): api.Context | undefined {
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return api.isSpanContextValid(context) ? api.trace.setSpanContext(api.ROOT_CONTEXT, context) : undefined
}

/** The SDK takes small numbers for times since the start of the process. */
const timeOf = (ms: number): api.HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

const nameOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown')
}
