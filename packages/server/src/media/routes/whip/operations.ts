import type { Header, Operation } from '../../../http/openapi/operation.ts'

const ETAG = {
  description: 'The version of the ICE session.',
  schema: { type: 'string' },
  example: '"a1b2c3"',
} as const satisfies Header

const SCHEMES = ['service', 'user'] as const
const OFFER = { type: 'application/sdp', description: 'The SDP offer.' } as const
const FRAGMENT = {
  type: 'application/trickle-ice-sdpfrag',
  description: 'Candidates, or the parameters of a restart.',
} as const

const CREATED = {
  201: {
    description: 'The SDP answer.',
    headers: {
      Location: {
        description: 'The address of the session.',
        schema: { type: 'string' },
        example: '/api/v1.0/whip/5mRkXw1bLz9d',
      },
      ETag: ETAG,
    },
  },
}

const PATCHED = {
  200: { description: 'The parameters of the restarted ICE session.', headers: { ETag: ETAG } },
  204: { description: 'The candidates are accepted.' },
}

const ENDED = { 200: { description: 'The session is over.' } }

const IF_MATCH = {
  'If-Match': { ...ETAG, description: 'The `ETag` of the session; `*` restarts ICE.', required: true },
} as const satisfies Record<string, Header>

const begin = (operationId: string, summary: string, description: string): Operation => ({
  operationId,
  tag: 'WHIP and WHEP',
  summary,
  description: `${description} The bearer token is that of a signed link, of a service account or of a user.`,
  errors: [
    'unauthenticated',
    'token_expired',
    'session_ended',
    'account_deleted',
    'account_disabled',
    'guests_not_allowed',
    'link_invalid',
    'link_rotated',
    'room_not_found',
    'plain_link_closed',
    'room_closed',
    'room_cancelled',
    'room_not_open',
    'permission_denied',
    'conference_not_found',
    'rate_limited',
    'not_configured',
  ],
  byHandler: { schemes: SCHEMES, body: OFFER, responses: CREATED },
})

const session = (kind: 'whip' | 'whep') =>
  ({
    tag: 'WHIP and WHEP',
    example: { path: { id: `${kind}.k7mq-x2wd9-rtnh.eaeeef0170ecaecb5ec9b3f9` } },
  }) as const

const ERRORS = ['unauthenticated', 'permission_denied', 'not_found', 'rate_limited'] as const
const END = {
  description: 'Leaves the conference.',
  errors: ERRORS,
  byHandler: { schemes: SCHEMES, responses: ENDED },
} as const
const PATCH = {
  description: 'With the `ETag` of the session the body adds candidates; with `*` it restarts ICE.',
  errors: [...ERRORS, 'precondition_required', 'precondition_failed'],
  byHandler: { schemes: SCHEMES, headers: IF_MATCH, body: FRAGMENT, responses: PATCHED },
} as const

/** The reference of the routes beside this file. */
export const operations = {
  publish: begin(
    'publishWhip',
    'Publish with WHIP',
    'Publishes what the offer sends in the conference (RFC 9725).',
  ),
  play: begin('playWhep', 'Play with WHEP', 'Receives a participant of the conference.'),
  whip: {
    end: { ...session('whip'), ...END, operationId: 'endWhip', summary: 'End a session of WHIP' },
    patch: {
      ...session('whip'),
      ...PATCH,
      operationId: 'patchWhip',
      summary: 'Trickle ICE or restart ICE of WHIP',
    },
  },
  whep: {
    end: { ...session('whep'), ...END, operationId: 'endWhep', summary: 'End a session of WHEP' },
    patch: {
      ...session('whep'),
      ...PATCH,
      operationId: 'patchWhep',
      summary: 'Trickle ICE or restart ICE of WHEP',
    },
  },
}
