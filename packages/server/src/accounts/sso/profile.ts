import { cleanDisplayName, DISPLAY_NAME_MAX } from '@lectern/protocol'
import type { ProviderProfile } from './ports.ts'

/** OpenID Connect Core 1.0 §2: a subject has at most 255 ASCII characters. */
const SUBJECT_MAX = 255
const TEXT_MAX = 255

/** Reads claims, which may have any type. Throws if they identify nobody. */
export function profileOf(claims: Record<string, unknown>): ProviderProfile {
  const { iss, sub } = claims
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '' || sub.length > SUBJECT_MAX)
    throw new Error('the claims identify nobody')
  const username = textOf(claims.preferred_username, TEXT_MAX)
  const email = textOf(claims.email, TEXT_MAX)
  const parts = [claims.given_name, claims.family_name].map(part => textOf(part, DISPLAY_NAME_MAX))
  const name = textOf(claims.name, DISPLAY_NAME_MAX) || textOf(parts.join(' '), DISPLAY_NAME_MAX)
  return { issuer: iss, subject: sub, username, email, name, isPartial: false }
}

/** Claims that the first one lacks are taken from the second one. */
export const mergeProfiles = (first: ProviderProfile, second: ProviderProfile): ProviderProfile => ({
  ...first,
  username: first.username || second.username,
  email: first.email || second.email,
  name: first.name || second.name,
})

/** A claim as a display name, cut between code points; empty unless it is a text. */
function textOf(value: unknown, max: number): string {
  if (typeof value !== 'string') return ''
  return cleanDisplayName(Array.from(cleanDisplayName(value.toWellFormed())).slice(0, max).join(''))
}

/** How the provider calls the account: for its owner to recognise. */
export const labelOf = (profile: ProviderProfile): string => nameIn(profile) || profile.subject

/** A name by which people recognise the person; empty if the provider gave none. */
export const nameIn = ({ email, username, name }: ProviderProfile): string => email || username || name
