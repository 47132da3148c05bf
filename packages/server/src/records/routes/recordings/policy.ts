import type { TokenHolder } from '../../../http/authentication.ts'

/** Rule ARCHIVE-1. */
export const canReadArchive = ({ user }: TokenHolder): boolean =>
  user.capabilities.includes('recordings.access')

/** The owner whose rooms are listed: the partner's own for a service token, undefined (all) for a user (decision 14). */
export const listedOwner = ({ user, scopes }: TokenHolder): number | undefined =>
  scopes === null ? undefined : user.id
