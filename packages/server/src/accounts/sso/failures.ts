import { Refusal } from '@lectern/protocol'
import * as client from 'openid-client'

/** Errors by which a provider says that the person did not sign in, or may not. */
const CANCELLED = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
])

/** Maps a failure while the provider's answer is redeemed. */
export function failureOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof client.AuthorizationResponseError && CANCELLED.has(error.error))
    return new Refusal('sign_in_cancelled')
  // The code was used before, or has expired.
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
    return new Refusal('sign_in_expired')
  return new Refusal('identity_provider_unavailable')
}

const WORD = /^[\w.-]{1,64}$/

/**
 * A few words for the log. Apart from an issuer, it never contains what a provider or a browser wrote: descriptions, URLs and
 * bodies may hold codes, tokens or names.
 */
export function reasonOf(error: unknown): string {
  const issuers = differingIssuers(error)
  if (issuers) return issuers
  const claim = malformedTime(error)
  if (claim) return `the claim ${claim} of its ID token is no number`
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return `the provider answered ${WORD.test(error.error) ? error.error : 'an unknown error'}`
  if (!(error instanceof Error)) return 'unknown'
  const cause = error.cause as { code?: unknown } | undefined
  const codes = [(error as { code?: unknown }).code, cause?.code]
  const code = codes.find((each): each is string => typeof each === 'string' && WORD.test(each))
  return [error.name, code].filter(Boolean).join(' ')
}

/** An address in which nothing can be hidden. */
const ISSUER = /^https?:\/\/[\w.:[\]-]+(\/[\w.~%/-]{0,200})?$/

/** Names both issuers if an error of the library is that they differ: in the settings, in an ID token or in the callback. */
function differingIssuers(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { expected, attribute, body, claim, claims, parameters } = (cause.cause ?? {}) as Comparison
    const named =
      attribute === 'issuer' ? body?.issuer : claim === 'iss' ? claims?.iss : parameters?.get('iss')
    if (typeof expected !== 'string' || typeof named !== 'string') continue
    const shown = ISSUER.test(named) ? named : 'an invalid address'
    return `the provider calls itself ${shown}, but ${expected} is expected`
  }
  return null
}

/** RFC 7519: numbers, where they are present. The library refuses `null`, too, which the signature covers. */
const TIMES = ['exp', 'iat', 'nbf', 'auth_time'] as const

function malformedTime(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { claims } = (cause.cause ?? {}) as Comparison
    const malformed = TIMES.find(name => claims?.[name] !== undefined && typeof claims[name] !== 'number')
    if (malformed) return malformed
  }
  return null
}

/** Details that the library attaches to such errors. */
interface Comparison {
  expected?: unknown
  attribute?: string
  body?: { issuer?: unknown }
  claim?: string
  claims?: { iss?: unknown } & Partial<Record<(typeof TIMES)[number], unknown>>
  parameters?: URLSearchParams
}
