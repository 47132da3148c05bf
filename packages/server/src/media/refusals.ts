import { type ErrorCode, Refusal } from '@lectern/protocol'

/** The codes of media in the error catalogue, without their prefix. */
export type MediaRefusalReason = ErrorCode extends infer Code
  ? Code extends `media_${infer Reason}`
    ? Reason
    : never
  : never

export class MediaRefusal extends Refusal {
  override name = 'MediaRefusal'

  constructor(reason: MediaRefusalReason, { cause }: ErrorOptions = {}) {
    super(`media_${reason}` as ErrorCode, undefined, { cause })
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
