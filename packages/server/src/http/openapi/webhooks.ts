import { RecordingReady, TranscriptionReady, WebhookTest } from '@lectern/protocol'
import { exampleOf, type JsonSchema } from './examples.ts'
import type { SchemaComponents } from './named-schemas.ts'
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

const SIGNATURE = 'sha256=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'

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
    description: 'Who sends.',
    schema: { const: 'Lectern' },
    example: 'Lectern',
    required: true,
  },
})

/** The requests that the server sends to partners (docs/webhooks.md), with all their headers. */
export function webhooksOf(components: SchemaComponents): Record<string, object> {
  return Object.fromEntries(
    EVENTS.map(([operationId, schema, summary, description]) => {
      const type = String(schema.properties?.type?.const)
      return [type, { post: requestOf({ operationId, schema, summary, description, type }, components) }]
    }),
  )
}

interface Event {
  operationId: string
  schema: JsonSchema
  summary: string
  description: string
  type: string
}

const requestOf = (
  { operationId, schema, summary, description, type }: Event,
  components: SchemaComponents,
) => ({
  operationId,
  tags: ['Webhook'],
  summary,
  description,
  security: [],
  parameters: Object.entries(headersOf(type)).map(([name, header]) => ({ in: 'header', name, ...header })),
  requestBody: {
    description: 'The same bytes in every attempt.',
    required: true,
    content: { 'application/json': { schema: components.publish(schema), example: exampleOf(schema) } },
  },
  responses: {
    '2XX': { description: 'The event is stored. Answer within 15 seconds, and process it later.' },
    '4XX': {
      description:
        'Final: the delivery has failed, and is not sent again by itself. Only 408, 425 and 429 are retried.',
    },
    '5XX': {
      description:
        'Sent again 10, 30, 120, 600 and 1800 seconds after the previous attempt, six attempts in all.',
    },
  },
})
