import type { ControlErrorCode } from '@lectern/protocol/control'

/** Why media is refused. */
const reasons = {
  no_session: { code: 'permission_denied', says: 'This session has no media.' },
  gone: { code: 'temporarily_unavailable', says: 'This endpoint is gone; open another one.' },
  no_worker: { code: 'temporarily_unavailable', says: 'No media worker is ready; try again.' },
  busy: { code: 'temporarily_unavailable', says: 'This publication is just being opened; try again.' },
  not_yours: { code: 'invalid_argument', says: 'You have no such publication.' },
  no_publication: { code: 'invalid_argument', says: 'There is no such publication.' },
  id_taken: { code: 'invalid_argument', says: 'This publication_id belongs to another publication.' },
  wrong_scope: { code: 'invalid_argument', says: 'The scope does not fit the source.' },
  malformed: { code: 'invalid_argument', says: 'The media parameters are not as they should be.' },
  unsupported: { code: 'unsupported_feature', says: 'This server does not do that codec or mode.' },
  too_many: { code: 'resource_exhausted', says: 'You have too many publications.' },
} as const satisfies Record<string, { code: ControlErrorCode; says: string }>

export type MediaRefusalReason = keyof typeof reasons

/** A failure that the participant may be told about. Anything else is a bug. */
export class MediaRefusal extends Error {
  override name = 'MediaRefusal'
  readonly reason: MediaRefusalReason
  readonly code: ControlErrorCode

  constructor(reason: MediaRefusalReason, options?: ErrorOptions) {
    super(reasons[reason].says, options)
    this.reason = reason
    this.code = reasons[reason].code
  }
}

export function demand(condition: unknown, reason: MediaRefusalReason): asserts condition {
  if (!condition) throw new MediaRefusal(reason)
}

/**
 * Does something that mediasoup may refuse for what the participant sent. Only for calls of mediasoup: an
 * error of our own must not look like theirs.
 */
export async function refusing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new MediaRefusal(reasonOf(error), { cause: error })
  }
}

/** mediasoup's errors are known by name: what the worker refuses is a plain Error or a TypeError. */
function reasonOf(error: unknown): MediaRefusalReason {
  if (!(error instanceof Error)) return 'malformed'
  if (error.name === 'UnsupportedError') return 'unsupported'
  return error.name === 'InvalidStateError' ? 'gone' : 'malformed'
}
