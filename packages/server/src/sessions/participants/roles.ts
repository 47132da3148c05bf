import type { ConferenceRole } from '@lectern/protocol/control'
import type { Conference, ConnectedUser, LinkGrant } from '../ports.ts'

/**
 * The only place that decides roles. The owner moderates on every connection; a signed link gives its role to the
 * connection that brought it and never lowers one. No action of a moderator changes a role.
 */
export function resolveRole(
  { ownerId }: Pick<Conference, 'ownerId'>,
  { userId, linkRole }: Pick<ConnectedUser, 'userId' | 'linkRole'>,
): ConferenceRole {
  return ownerId === userId ? 'moderator' : (linkRole ?? 'participant')
}

/** The grant of a connection's signed link for this conference; null when the link is of another one, or there is none. */
export const grantFor = (grant: LinkGrant | null, tag: string): LinkGrant | null =>
  grant?.tag === tag ? grant : null
