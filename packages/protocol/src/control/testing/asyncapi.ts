import { envelopes } from '../envelopes/index.ts'
import { CLIENT_ENVELOPES, SERVER_ENVELOPES } from '../frame.ts'

/** docs/asyncapi.json: the frames by sender. Their schemas are the files of docs/schemas. */

const summaries: Record<string, string> = {
  login: 'The first frame of a connection.',
  login_result: 'The result of a login.',
  v1_request: 'A command of a v1 session.',
  v1_response: 'The result of a v1 command.',
  v1_event: 'An event in a v1 session.',
}

const fromClient = ['login', ...CLIENT_ENVELOPES, 'v1_request']
const fromServer = ['login_result', ...SERVER_ENVELOPES, 'v1_response', 'v1_event']
const all = [...new Set([...fromClient, ...fromServer])]

const schemas: Record<string, object> = envelopes
const summaryOf = (name: string) =>
  (schemas[name] as { description?: string } | undefined)?.description ?? summaries[name]
const inChannel = (names: readonly string[]) =>
  names.map(name => ({ $ref: `#/channels/control/messages/${name}` }))

export function asyncApi() {
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Lectern control protocol',
      version: '2.0.0-draft.1',
      description:
        'Version 2, profile svc.control.v2.core, and the v1 login that it extends. One JSON object per text frame of a WebSocket. control-protocol.md has the rules that schemas cannot express; schemas/ are JSON Schema 2020-12.',
    },
    defaultContentType: 'application/json',
    servers: {
      production: {
        host: '{host}',
        protocol: 'wss',
        variables: { host: { description: 'Host and port of the base address.' } },
      },
    },
    channels: {
      control: {
        address: '/api/v1.0/control',
        title: 'Control',
        description:
          'Subprotocol svc.control. The login comes first; v2 frames follow a login with an offer. A handshake is refused with HTTP 400 invalid_argument (another subprotocol), 403 permission_denied (a page of another origin), 426 upgrade_required (no WebSocket), 429 rate_limited or too_many_connections, or 503 server_full or temporarily_unavailable.',
        bindings: { ws: { method: 'GET' } },
        messages: Object.fromEntries(all.map(name => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      fromClient: {
        action: 'receive',
        summary: 'Frames that the server receives.',
        channel: { $ref: '#/channels/control' },
        messages: inChannel(fromClient),
      },
      fromServer: {
        action: 'send',
        summary: 'Frames that the server sends.',
        channel: { $ref: '#/channels/control' },
        messages: inChannel(fromServer),
      },
    },
    components: {
      messages: Object.fromEntries(
        all.map(name => [
          name,
          { name, summary: summaryOf(name), payload: { $ref: `./schemas/${name}.json` } },
        ]),
      ),
    },
  }
}
