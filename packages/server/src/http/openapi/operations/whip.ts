import type { Header, Operation } from './operation.ts'

const ETAG = {
  description: 'The version of the ICE session.',
  schema: { type: 'string' },
  example: '"a1b2c3"',
} as const satisfies Header

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

const begin = (summary: string, description: string) =>
  ({
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
      'permission_denied',
      'conference_not_found',
      'rate_limited',
      'not_configured',
    ],
    schemes: ['service', 'user'],
    body: OFFER,
    responses: CREATED,
  }) as const satisfies Operation

const session = {
  tag: 'WHIP and WHEP',
  errors: ['unauthenticated', 'permission_denied', 'not_found', 'rate_limited'],
  schemes: ['service', 'user'],
} as const

const patch = (summary: string) =>
  ({
    ...session,
    summary,
    description: 'With the `ETag` of the session the body adds candidates; with `*` it restarts ICE.',
    errors: [...session.errors, 'precondition_required', 'precondition_failed'],
    headers: IF_MATCH,
    body: FRAGMENT,
    responses: PATCHED,
  }) as const satisfies Operation

/** Any WebRTC stack publishes and plays (docs/whip-whep.md). */
export const whipOperations = {
  publishWhip: begin('Publish with WHIP', 'Publishes what the offer sends in the conference (RFC 9725).'),
  playWhep: begin('Play with WHEP', 'Receives a participant of the conference.'),
  endWhip: {
    ...session,
    responses: ENDED,
    summary: 'End a session of WHIP',
    description: 'Leaves the conference.',
  },
  endWhep: {
    ...session,
    responses: ENDED,
    summary: 'End a session of WHEP',
    description: 'Leaves the conference.',
  },
  patchWhip: patch('Trickle ICE or restart ICE of WHIP'),
  patchWhep: patch('Trickle ICE or restart ICE of WHEP'),
} as const satisfies Record<string, Operation>
