import { ConfigError } from '../config/ini.ts'
import type { Member } from './members.ts'

type KeyHolder = Pick<Member, 'keyIds'>

/** Whether both accept what the other one signs; true while that is not known of one of them. */
export function acceptEachOther({ keyIds: one }: KeyHolder, { keyIds: other }: KeyHolder): boolean {
  const [ofOne, ofOther] = [one[0], other[0]]
  return ofOne === undefined || ofOther === undefined || (other.includes(ofOne) && one.includes(ofOther))
}

/**
 * Throws while servers run, none of which accepts the secret of this one (rule ALIVE-5): people could not reach the sessions that
 * it would run, nor it those of others.
 */
export function assertSharedSecret(self: Member, others: readonly Member[]): void {
  if (others.length === 0 || others.some(other => acceptEachOther(self, other))) return
  const names = others.map(({ name }) => name).join(', ')
  throw new ConfigError(
    `[Server] JwtSecret is not that of the servers that run: ${names}. All servers need the same one.`,
  )
}
