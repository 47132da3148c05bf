/**
 * How a control connection ends (design §6 "Frames that are wrong"). The reason of the close frame is one of
 * `reasons`, meant for machines; `clientDoes` is what a client does next.
 */
export const closeCodes = {
  1001: {
    says: 'The server is draining.',
    reasons: ['temporarily_unavailable'],
    clientDoes: 'reconnect',
  },
  1013: {
    says: 'There is no room for another connection right now.',
    reasons: ['too_many_connections', 'server_full'],
    clientDoes: 'reconnect',
  },
  4400: {
    says: 'A frame was wrong, or came before the login (rules F1 to F13, L1, L2).',
    reasons: ['invalid_argument', 'resource_exhausted', 'unauthenticated', 'protocol_unsupported'],
    clientDoes: 'sync fresh, at most once',
  },
  4401: {
    says: 'Not signed in, or not any more.',
    reasons: ['unauthenticated', 'token_expired', 'session_ended', 'link_invalid'],
    clientDoes: 'get a new token',
  },
  4403: {
    says: 'Signed in, but not welcome.',
    reasons: ['permission_denied', 'link_rotated', 'room_closed', 'room_cancelled', 'guests_not_allowed'],
    clientDoes: 'stop',
  },
  4408: {
    says: 'The login, the first sync or a heartbeat did not come in time.',
    reasons: ['login_timeout', 'sync_timeout', 'heartbeat_timeout'],
    clientDoes: 'reconnect',
  },
  4409: {
    says: 'The same instance of the client has another connection now.',
    reasons: ['superseded'],
    clientDoes: 'stop',
  },
  4410: {
    says: 'The account was deleted.',
    reasons: ['account_deleted'],
    clientDoes: 'forget the account',
  },
  4429: {
    says: 'Too many frames, or too slow a reader of ours.',
    reasons: ['rate_limited', 'slow_reader'],
    clientDoes: 'reconnect',
  },
} as const satisfies Record<number, { says: string; reasons: readonly string[]; clientDoes: string }>

export type CloseCode = keyof typeof closeCodes
export type CloseReason<C extends CloseCode = CloseCode> = (typeof closeCodes)[C]['reasons'][number]
