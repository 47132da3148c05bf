import type { Tokens } from './identity.ts'

/** The guest as the browser's storage holds it. */
export interface SavedGuest extends Tokens {
  /** For the next refresh. It is saved with the token, so that every try and every tab sends the same. */
  requestId: string
}

export const saveable = (tokens: Tokens): string => JSON.stringify({ ...tokens, requestId: randomId() })

/** Null for nothing and for what we have not written. */
export function readSaved(text: string | null): SavedGuest | null {
  try {
    const { userId, accessToken, refreshToken, expiresAt, requestId } = JSON.parse(text ?? '{}')
    const isOurs =
      [userId, expiresAt].every(value => typeof value === 'number') &&
      [accessToken, refreshToken, requestId].every(value => typeof value === 'string')
    return isOurs ? { userId, accessToken, refreshToken, expiresAt, requestId } : null
  } catch {
    return null
  }
}

/** Not `randomUUID`, which is missing on pages that are not secure. */
const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
