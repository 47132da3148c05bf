import type { Gauges } from '../operations/telemetry/metrics.ts'
import type { Config } from '../platform/config/index.ts'
import type { Lifetime } from '../platform/lifetime.ts'
import { noTracing, type Tracing } from '../platform/tracing.ts'
import type { ServerContext } from './context.ts'

export interface TracingPart {
  tracing: Tracing
  gauges: Gauges
}

/** The libraries of OpenTelemetry are loaded only if traces are on. */
export async function composeTracing(
  program: 'server' | 'media-node',
  { config, version, log }: Pick<ServerContext, 'config' | 'version' | 'log'>,
  lifetime: Lifetime,
): Promise<TracingPart> {
  const { Endpoint, Headers, SampleRatio } = config.Tracing
  if (Endpoint === '') return { tracing: noTracing, gauges: {} }
  const { Traces } = await import('../operations/telemetry/traces.ts')
  const traces = new Traces({
    endpoint: Endpoint,
    headers: Object.fromEntries(Headers),
    sampleRatio: SampleRatio,
    resource: resourceOf(program, config, version),
    log,
  })
  lifetime.own('traces', traces, each => each.stop())
  return {
    tracing: traces,
    gauges: {
      trace_spans_exported: {
        help: 'Spans that the collector of traces has accepted, since the start.',
        type: 'counter',
        read: () => traces.counts.exported,
      },
      trace_spans_failed: {
        help: 'Spans that could not be sent to the collector of traces, since the start.',
        type: 'counter',
        read: () => traces.counts.failed,
      },
    },
  }
}

const resourceOf = (program: string, { Cluster }: Config, version: string) => ({
  'service.name': program === 'server' ? 'lectern' : `lectern-${program}`,
  'service.version': version,
  'service.instance.id': Cluster.Name,
})
