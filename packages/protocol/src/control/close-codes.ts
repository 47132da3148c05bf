/**
 * Close codes of control connections (docs/control-protocol.md#close-codes). The reason of the close frame is one
 * of `reasons`, for machines; `clientAction` is what a client does next.
 */
export const closeCodes = {
  1001: {
    message: 'The server is draining.',
    reasons: ['temporarily_unavailable'],
    clientAction: 'reconnect',
  },
  1013: {
    message: 'The server has no capacity for another connection.',
    reasons: ['too_many_connections', 'server_full'],
    clientAction: 'reconnect',
  },
  4400: {
    message: 'A frame was wrong, or came before the login (rules F1 to F13, L1, L2).',
    reasons: ['invalid_argument', 'resource_exhausted', 'unauthenticated', 'protocol_unsupported'],
    clientAction: 'sync fresh, at most once',
  },
  4401: {
    message: 'Not signed in, or not any more.',
    reasons: ['unauthenticated', 'token_expired', 'session_ended', 'link_invalid'],
    clientAction: 'get a new token',
  },
  4403: {
    message: 'Signed in, but not permitted.',
    reasons: ['permission_denied', 'link_rotated', 'room_closed', 'room_cancelled', 'guests_not_allowed'],
    clientAction: 'stop',
  },
  4408: {
    message: 'The login, the first sync or a heartbeat did not come in time.',
    reasons: ['login_timeout', 'sync_timeout', 'heartbeat_timeout'],
    clientAction: 'reconnect',
  },
  4409: {
    message: 'The same instance of the client has another connection now.',
    reasons: ['superseded'],
    clientAction: 'stop',
  },
  4410: {
    message: 'The account was deleted.',
    reasons: ['account_deleted'],
    clientAction: 'forget the account',
  },
  4429: {
    message: 'Too many frames, or the client reads too slowly.',
    reasons: ['rate_limited', 'slow_reader'],
    clientAction: 'reconnect',
  },
} as const satisfies Record<number, { message: string; reasons: readonly string[]; clientAction: string }>

export type CloseCode = keyof typeof closeCodes
export type CloseReason<C extends CloseCode = CloseCode> = (typeof closeCodes)[C]['reasons'][number]
