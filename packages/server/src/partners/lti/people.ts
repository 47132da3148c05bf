import { createHash } from 'node:crypto'
import type { Metadata, PersonRole } from '@lectern/protocol'
import type { Person } from '../ports.ts'
import type { Platform } from '../stores/lti/platforms.ts'

/** Ids of users have up to 255 characters, as an `external_id`: longer ones than this are not part of it, but hashed. */
const USER_IN_ID_MAX = 200
/** The name of the user in the metadata of a person whose `external_id` does not contain it. */
const USER_KEY = 'lti_user'

/** The `external_id` of a user of a platform: another platform may have the same user ids. */
export const externalIdOf = ({ id }: Pick<Platform, 'id'>, user: string): string =>
  `${id}:${isLong(user) ? `~${createHash('sha256').update(user).digest('base64url')}` : user}`

/** What a person has from whom `userOf` reads the user. */
export const metadataOf = (user: string): { metadata?: Metadata } =>
  isLong(user) ? { metadata: { [USER_KEY]: user } } : {}

/** The user that the person is; null for other people of the room. */
export function userOf(
  platform: Pick<Platform, 'id'>,
  { externalId, metadata }: Pick<Person, 'externalId' | 'metadata'>,
): string | null {
  const { [USER_KEY]: long } = metadata
  // Owners of the room may change it.
  if (long !== undefined && externalIdOf(platform, long) === externalId) return long
  return externalId.startsWith(`${platform.id}:`) ? externalId.slice(platform.id.length + 1) : null
}

const isLong = (user: string) => user.length > USER_IN_ID_MAX

/** Students are graded. */
export const isStudent = (role: PersonRole): boolean => role === 'student'
