import type { PersonRole } from '@lectern/protocol'
import type { Platform } from '../stores/lti/platforms.ts'

/** The `external_id` of a user of a platform: another platform may have the same user ids. */
export const externalIdOf = ({ id }: Pick<Platform, 'id'>, user: string): string => `${id}:${user}`

/** The user of such an id; null for other people of the room. */
export const userOf = ({ id }: Pick<Platform, 'id'>, externalId: string): string | null =>
  externalId.startsWith(`${id}:`) ? externalId.slice(id.length + 1) : null

/** Students are graded. */
export const isStudent = (role: PersonRole): boolean => role === 'student'
