import { type ControlErrorCode, ControlRefusal } from '@lectern/protocol/control'

/** Why media is refused. */
const reasons = {
  no_session: { code: 'permission_denied', message: 'This session has no media.' },
  gone: { code: 'temporarily_unavailable', message: 'This endpoint is gone; open another one.' },
  superseded: {
    code: 'invalid_argument',
    message: 'A later media.open of this participant replaced this one.',
  },
  no_worker: { code: 'temporarily_unavailable', message: 'No media worker is ready; try again.' },
  no_descriptors: {
    code: 'temporarily_unavailable',
    message: 'The media worker has no descriptors left; try again.',
  },
  busy: { code: 'temporarily_unavailable', message: 'This publication is just being opened; try again.' },
  not_yours: { code: 'invalid_argument', message: 'You have no such publication.' },
  no_publication: { code: 'invalid_argument', message: 'There is no such publication.' },
  id_taken: { code: 'invalid_argument', message: 'This publication_id belongs to another publication.' },
  wrong_scope: { code: 'invalid_argument', message: 'The scope does not fit the source.' },
  malformed: { code: 'invalid_argument', message: 'The media parameters are not as they should be.' },
  unsupported: { code: 'unsupported_feature', message: 'This server does not do that codec or mode.' },
  srtp_required: { code: 'invalid_argument', message: 'RTP leaves this machine only as SRTP.' },
  too_many: { code: 'resource_exhausted', message: 'You have too many publications.' },
} as const satisfies Record<string, { code: ControlErrorCode; message: string }>

export type MediaRefusalReason = keyof typeof reasons

export class MediaRefusal extends ControlRefusal {
  override name = 'MediaRefusal'

  constructor(reason: MediaRefusalReason, { cause }: ErrorOptions = {}) {
    super(reasons[reason].code, reasons[reason].message, { reason, cause })
  }
}

export function demand(condition: unknown, reason: MediaRefusalReason): asserts condition {
  if (!condition) throw new MediaRefusal(reason)
}

/**
 * Does something on a transport that mediasoup may refuse for what the participant sent. Only for calls of
 * mediasoup: an error of our own must not look like theirs.
 */
export async function refusing<T>(transport: { closed: boolean }, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new MediaRefusal(transport.closed ? 'gone' : reasonOf(error), { cause: error })
  }
}

/**
 * mediasoup's errors are known by name: what the worker refuses is a plain Error or a TypeError. For EMFILE there is only
 * libuv's text.
 */
function reasonOf(error: unknown): MediaRefusalReason {
  if (!(error instanceof Error)) return 'malformed'
  if (error.name === 'UnsupportedError') return 'unsupported'
  return error.message.includes('too many open files') ? 'no_descriptors' : 'malformed'
}
