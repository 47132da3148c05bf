import { pollUntil } from '@lectern/common'
import { ConfigError } from '../../platform/config/ini.ts'
import { ALIVE_INTERVAL_MS, type Member } from '../members/members.ts'

type KeyHolder = Pick<Member, 'keyIds'>

/** Whether both accept what the other one signs; true while that is not known of one of them. */
export function acceptEachOther({ keyIds: one }: KeyHolder, { keyIds: other }: KeyHolder): boolean {
  const [ofOne, ofOther] = [one[0], other[0]]
  return ofOne === undefined || ofOther === undefined || (other.includes(ofOne) && one.includes(ofOther))
}

/** Servers that run report themselves twice within it, and once more when they hear of a new one. */
const INTRODUCED_WITHIN_MS = 2 * ALIVE_INTERVAL_MS

/**
 * Rejects if none of the running servers accepts the secret of this one (rule ALIVE-5): people could not reach its
 * sessions, nor it the others'. Resolves as soon as one is known that accepts it, or when no server has reported
 * itself.
 */
export async function assertSharedSecret(
  self: () => Member,
  others: () => readonly Member[],
  strangers: () => readonly string[],
): Promise<void> {
  const isAccepted = () => others().some(other => acceptEachOther(self(), other))
  if (await pollUntil(isAccepted, { intervalMs: 20, timeoutMs: INTRODUCED_WITHIN_MS })) return
  // The servers whose secret this one does not accept are known by their ids only.
  const names = [...others().map(({ name }) => name), ...strangers().map(nameOf)]
  if (names.length === 0) return
  throw new ConfigError(
    `[Server] JwtSecret is not that of the servers that run: ${names.join(', ')}. All servers need the same one.`,
  )
}

/** An id is the name and a random part. */
const nameOf = (id: string): string => id.replace(/-[0-9a-f]{8}$/, '')
