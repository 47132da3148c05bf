import {
  EndpointTestEvent,
  PARTNER_EVENT_SCHEMAS,
  type PartnerEventType,
  RecordingReady,
  TranscriptionReady,
  WebhookTest,
} from '@lectern/protocol'
import { exampleOf, type JsonSchema } from './examples.ts'
import { nameOfEvent, type SchemaComponents } from './named-schemas.ts'
import type { Header } from './operation.ts'

const EVENTS: [operationId: string, schema: JsonSchema, summary: string, description: string][] = [
  [
    'recordingReady',
    RecordingReady,
    'A recording is ready',
    'Sent once for each finished recording, after all its files have been stored and its record is in the archive. Files are private: download them with a service token that has the scope `blob`.',
  ],
  [
    'transcriptionReady',
    TranscriptionReady,
    'A transcript is ready',
    'Sent when one run of a transcriber ends, not when the room closes. The body has the whole text of the run: accept large bodies.',
  ],
  [
    'webhookTest',
    WebhookTest,
    'A test that was requested',
    'Sent only when you request it (`sendTestEvent`), or when an administrator does. It is about no room: answer 2xx and store nothing.',
  ],
]

/** Events of version 2. Their names begin with `v2/`: two types have the name of one of version 1. */
const EVENTS_OF_VERSION_2: Record<PartnerEventType | 'webhook.test', [summary: string, description: string]> =
  {
    'room.started': ['A call has started', 'The first person came in.'],
    'room.ended': ['A call has ended', 'Nobody is inside any more. `attendance` has everybody who was.'],
    'participant.waiting': [
      'Somebody waits in the lobby',
      'Sent once for each attempt to come in. The only event that is lost if a server is killed at that moment.',
    ],
    'participant.joined': ['Somebody came in', 'A person on two devices joins twice.'],
    'participant.left': ['Somebody has left', 'With the time and the reason.'],
    'recording.started': ['A recording has started', 'A recorder has begun.'],
    'recording.ready': [
      'A recording is ready',
      'All its files have been stored. Get a link to one of them with `createRecordingLink`.',
    ],
    'recording.failed': [
      'A recording has failed',
      'Nothing was stored: with the reason `nothing_captured`, because everybody had left before a recorder was there; else the operator finds the cause in the log.',
    ],
    'recording.deleted': [
      'A recording was deleted',
      'By request, with its room, or because of its age (`keep_days`, or the retention of the operator).',
    ],
    'transcription.ready': [
      'A transcript is ready',
      'Sent when one run of a transcriber ends. The body has the whole text of the run: accept large bodies.',
    ],
    'room.deleted': [
      'A room was deleted',
      'The last event of a room: its recordings, transcripts, messages, people and files are gone.',
    ],
    'webhook.test': [
      'A test of an endpoint that was requested',
      'Sent only when you request it (`testEndpoint`). It is about no room: answer 2xx and store nothing.',
    ],
  }

const SIGNATURE = 'sha256=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'

const EVENT_ID = 'evt_5f0c2e7d41a84c0f9d3b6a1e8c72f015'

const headersOf = (type: string): Record<string, Header> => ({
  'X-Service-Event': {
    description: 'The `type` of the event.',
    schema: { const: type },
    example: type,
    required: true,
  },
  'X-Service-Delivery': {
    description: 'The `id` of the event; the same for every attempt.',
    schema: { type: 'string' },
    example: 'wh_5f0c2e7d41a84c0f9d3b6a1e8c72f015',
    required: true,
  },
  'X-Service-Timestamp': {
    description:
      'Unix seconds of this attempt. Refuse one that differs from the current time by more than 300.',
    schema: { type: 'integer' },
    example: 1_914_479_172,
    required: true,
  },
  'X-Service-Signature': {
    description:
      '`sha256=` and the lowercase hexadecimal HMAC-SHA256, under your secret, of the timestamp, a dot and the raw body. While the secret is being replaced: under the previous one.',
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
    example: SIGNATURE,
    required: true,
  },
  'X-Service-Signatures': {
    description:
      'Only while the secret is being replaced: the signatures under the new and under the previous secret, separated by a comma and a space.',
    schema: { type: 'string' },
    example: `${SIGNATURE.replace('5257', '81d0')}, ${SIGNATURE}`,
  },
  'User-Agent': {
    description: 'The sender.',
    schema: { const: 'Lectern' },
    example: 'Lectern',
    required: true,
  },
})

const headersOfVersion2 = (type: string): Record<string, Header> => ({
  ...headersOf(type),
  'webhook-id': {
    description: 'The `id` of the event, as in Standard Webhooks; the same for every attempt.',
    schema: { type: 'string' },
    example: EVENT_ID,
    required: true,
  },
  'webhook-timestamp': {
    description: 'Unix seconds of this attempt, which are signed.',
    schema: { type: 'integer' },
    example: 1_914_479_172,
    required: true,
  },
  'webhook-signature': {
    description:
      '`v1,` and the base64 HMAC-SHA256 of the id, a dot, the timestamp, a dot and the raw body. While the secret is being replaced two, separated by a space.',
    schema: { type: 'string', pattern: '^v1,' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    required: true,
  },
})

/** The requests that the server sends to partners (docs/webhooks.md, docs/partner-api-v2.md), with all their headers. */
export function webhooksOf(components: SchemaComponents): Record<string, object> {
  const first = EVENTS.map(([operationId, schema, summary, description]) => {
    const type = String(schema.properties?.type?.const)
    const headers = headersOf(type)
    const event = { operationId, schema, summary, description, headers, responses: RESPONSES }
    return [type, { post: requestOf(event, components) }]
  })
  const second = Object.entries(EVENTS_OF_VERSION_2).map(([type, [summary, description]]) => {
    const schema = (PARTNER_EVENT_SCHEMAS[type] ?? EndpointTestEvent) as JsonSchema
    const operationId = `hosted${nameOfEvent(type)}`
    const headers = headersOfVersion2(type)
    const event = {
      ...{ operationId, schema, example: exampleOfEvent(type, schema) },
      ...{ summary, description, headers, responses: RESPONSES_OF_VERSION_2 },
    }
    return [`v2/${type}`, { post: requestOf(event, components) }]
  })
  return Object.fromEntries([...first, ...second])
}

/** Somebody who waits or has just come in has not left yet. */
const PRESENT: Record<string, object> = {
  'participant.waiting': { participant_id: null },
  'participant.joined': { left_at: null, reason: null },
}

function exampleOfEvent(type: string, schema: JsonSchema): unknown {
  const example = exampleOf(schema) as { data: { participant?: object } }
  const { participant } = example.data
  if (!participant) return example
  return { ...example, data: { ...example.data, participant: { ...participant, ...PRESENT[type] } } }
}

interface Event {
  operationId: string
  schema: JsonSchema
  example?: unknown
  summary: string
  description: string
  headers: Record<string, Header>
  responses: Record<string, { description: string }>
}

const STORED = { description: 'The event is stored. Answer within 15 seconds, and process it later.' }

const RESPONSES = {
  '2XX': STORED,
  '4XX': {
    description:
      'Final: the delivery has failed, and is not sent again by itself. Only 408, 425 and 429 are retried.',
  },
  '5XX': {
    description:
      'Sent again 10, 30, 120, 600 and 1800 seconds after the previous attempt, six attempts in all.',
  },
}

const RETRIED = {
  description:
    'Sent again for three days, with growing delays. An endpoint that has accepted nothing for five days is disabled; `listEvents` has what it missed.',
}

const RESPONSES_OF_VERSION_2 = { '2XX': STORED, '4XX': RETRIED, '5XX': RETRIED }

const requestOf = (
  { operationId, schema, example = exampleOf(schema), summary, description, headers, responses }: Event,
  components: SchemaComponents,
) => ({
  operationId,
  tags: ['Webhook'],
  summary,
  description,
  security: [],
  parameters: Object.entries(headers).map(([name, header]) => ({ in: 'header', name, ...header })),
  requestBody: {
    description: 'The same bytes in every attempt.',
    required: true,
    content: { 'application/json': { schema: components.publish(schema), example } },
  },
  responses,
})
