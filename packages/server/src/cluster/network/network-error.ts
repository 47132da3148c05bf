import { type ErrorCode, errors, Refusal } from '@lectern/protocol'
import type { WireError } from './envelope.ts'

export type NetworkFailure =
  /** Nobody serves the subject: the server is gone. */
  | 'no_responder'
  | 'timeout'
  /** This server has no connection to NATS. */
  | 'disconnected'
  /** The other server does not know the request, or not this version of it. */
  | 'unsupported'
  | 'too_large'
  /** The other server failed, or answered something that cannot be read. */
  | 'failed'

/** A request to another server got no usable answer. Callers see `temporarily_unavailable`. */
export class NetworkError extends Refusal {
  override name = 'NetworkError'
  readonly failure: NetworkFailure

  constructor(failure: NetworkFailure, options: { cause?: unknown } = {}) {
    super('temporarily_unavailable', undefined, options)
    this.failure = failure
  }
}

export const isNoResponder = (error: unknown): boolean =>
  error instanceof NetworkError && error.failure === 'no_responder'

/** Codes that are not in the catalogue of errors. */
export const UNSUPPORTED: WireError = { code: 'unsupported' }
const FAILED: WireError = { code: 'failed' }

/** Refusals cross as they are; of other failures the requester learns nothing but that there was one. */
export function toWire(error: unknown): WireError {
  const failure = error instanceof NetworkError ? error.failure : null
  if (failure === 'unsupported') return UNSUPPORTED
  if (!(error instanceof Refusal) || failure === 'too_large') return FAILED
  const { code, message, retryAfterMs } = error
  return { code, message, ...(retryAfterMs !== undefined && { details: { retry_after_ms: retryAfterMs } }) }
}

export function fromWire({ code, message, details }: WireError): Refusal {
  if (code === UNSUPPORTED.code) return new NetworkError('unsupported')
  // A code of a newer server's catalogue.
  if (!Object.hasOwn(errors, code)) return new NetworkError('failed')
  return new Refusal(code as ErrorCode, message, { retryAfterMs: details?.retry_after_ms })
}
