import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as a collector gets it (opentelemetry-proto, JSON). */
export interface CollectedSpan {
  name: string
  traceId: string
  spanId: string
  /** Empty: the beginning of a trace. */
  parentSpanId: string
  /** 1 internal, 2 server, 3 client. */
  kind: number
  attributes: Record<string, unknown>
  isFailed: boolean
  startMs: number
  endMs: number
}

interface WireAttribute {
  key: string
  value: Record<string, unknown>
}

interface WireSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: WireAttribute[]
  status: { code?: number }
}

interface WireBody {
  resourceSpans: {
    resource: { attributes: WireAttribute[] }
    scopeSpans: { spans: WireSpan[] }[]
  }[]
}

/** Receives traces: OTLP over HTTP, in JSON. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = []
  readonly resources: Record<string, unknown>[] = []
  /** The headers of each request. */
  readonly headers: NodeJS.Dict<string | string[]>[] = []
  /** The bodies as they came. */
  readonly texts: string[] = []
  /** The status of answers. */
  status = 200
  readonly #server = createServer(async (request, response) => {
    const body = (await json(request)) as WireBody
    this.headers.push(request.headers)
    if (this.status === 200) this.#take(body)
    response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}')
  })

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector()
    collector.#server.listen(0, '127.0.0.1')
    await once(collector.#server, 'listening')
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/traces`
  }

  named(name: string): CollectedSpan[] {
    return this.spans.filter(span => span.name === name)
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #take(body: WireBody): void {
    this.texts.push(JSON.stringify(body))
    for (const { resource, scopeSpans } of body.resourceSpans) {
      this.resources.push(valuesOf(resource.attributes))
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(toSpan))
    }
  }
}

const toSpan = ({ attributes, status, ...span }: WireSpan): CollectedSpan => ({
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? '',
  kind: span.kind,
  attributes: valuesOf(attributes),
  isFailed: status.code === 2,
  startMs: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
  endMs: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
})

const valuesOf = (attributes: WireAttribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
