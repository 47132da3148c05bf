import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0]

/** Spans since the start, by outcome. */
export interface SpanCounts {
  exported: number
  failed: number
}

/** Counts what another exporter does; logs when it begins to fail, and when it works again. */
export class ReportingExporter implements SpanExporter {
  readonly counts: SpanCounts = { exported: 0, failed: 0 }
  readonly #exporter: SpanExporter
  readonly #log: Pick<Logger, 'warn' | 'info'>
  #isFailing = false

  constructor(exporter: SpanExporter, log: Pick<Logger, 'warn' | 'info'>) {
    this.#exporter = exporter
    this.#log = log
  }

  export(spans: ReadableSpan[], onResult: (result: Result) => void): void {
    this.#exporter.export(spans, result => {
      if (result.error) this.#onFailure(result.error, spans.length)
      else this.#onSuccess(spans.length)
      // The processor would report failures, too.
      onResult({ ...result, code: 0 })
    })
  }

  async forceFlush(): Promise<void> {
    await this.#exporter.forceFlush?.()
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown()
  }

  #onSuccess(spans: number): void {
    this.counts.exported += spans
    if (this.#isFailing) this.#log.info('traces are exported again')
    this.#isFailing = false
  }

  /** Without the message, which may repeat what the collector has answered. */
  #onFailure(error: Error & { code?: unknown }, spans: number): void {
    this.counts.failed += spans
    const reason = error.code ?? (error.cause as { code?: unknown } | undefined)?.code ?? error.name
    if (!this.#isFailing) this.#log.warn({ reason }, 'traces cannot be exported; the service is not affected')
    this.#isFailing = true
  }
}
