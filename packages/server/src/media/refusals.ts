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

export function assertMedia(condition: unknown, reason: MediaRefusalReason): asserts condition {
  if (!condition) throw new MediaRefusal(reason)
}

/**
 * Calls mediasoup with parameters from a participant, and translates its errors. Only for calls of mediasoup: an error of
 * our own MUST NOT appear as the participant's.
 */
export async function translateErrors<T>(transport: { closed: boolean }, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw new MediaRefusal(transport.closed ? 'gone' : reasonOf(error), { cause: error })
  }
}

/**
 * mediasoup's errors differ by name: its worker's are plain Errors or TypeErrors. EMFILE is only visible in libuv's text.
 */
function reasonOf(error: unknown): MediaRefusalReason {
  if (!(error instanceof Error)) return 'malformed'
  if (error.name === 'UnsupportedError') return 'unsupported'
  return error.message.includes('too many open files') ? 'no_descriptors' : 'malformed'
}
