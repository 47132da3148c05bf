import { type Static, Type } from 'typebox'
import { Nullable, Result } from '../schema.ts'

/** A sample is taken each minute and kept for a day. */
export const SAMPLE_INTERVAL_MS = 60_000
export const SAMPLE_RETENTION_MS = 24 * 3_600_000

const numbers = (description: string) => Type.Array(Type.Number(), { description })
const someNumbers = (description: string) =>
  Type.Array(Nullable(Type.Number()), { description: `${description}; null: unknown` })

/** The columns of the charts. All have the length of `at_ms`. */
export const SampleColumns = Type.Object({
  at_ms: numbers('Unix milliseconds, ascending. Minutes in which the server did not run are missing.'),
  sessions: numbers('Live sessions'),
  participants: numbers('Participants of live sessions'),
  connections: numbers('Connections of the control channel'),
  cpu_percent: numbers('Processor time of the server process; 100 is one core'),
  media_cpu_percent: numbers('Processor time of the media workers; 100 is one core'),
  memory_bytes: numbers('Resident memory of the server process'),
  event_loop_delay_ms: numbers('99th percentile of the delay of the event loop'),
  requests: numbers('HTTP requests in the minute'),
  request_failures: numbers('Requests answered with 5xx'),
  jobs: numbers('Unfinished jobs'),
  incoming_bps: someNumbers('Bits per second of media that arrive'),
  outgoing_bps: someNumbers('Bits per second of media that leave'),
  packet_loss_percent: someNumbers('Lost packets of media in both directions, on average of the connections'),
})
export type SampleColumns = Static<typeof SampleColumns>
export type SampleColumn = keyof SampleColumns

export const AdminSamplesResponse = Type.Object({
  result: Result,
  interval_ms: Type.Integer(),
  samples: SampleColumns,
  servers: Type.Array(Type.Object({ server: Type.String(), samples: SampleColumns }), {
    description:
      'The same for each server of the cluster, by its name; empty without one. `samples` are of the server that answers.',
  }),
})
export type AdminSamplesResponse = Static<typeof AdminSamplesResponse>
