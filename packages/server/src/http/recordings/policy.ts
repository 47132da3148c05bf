import type { TokenHolder } from '../authentication.ts'

/** Rule ARCHIVE-1. */
export const canReadArchive = ({ user }: TokenHolder): boolean =>
  user.capabilities.includes('recordings.access')

/** Whose rooms are shown: a partner's backend sees its own, a person with the capability all (decision 14). */
export const shownOwner = ({ user, scopes }: TokenHolder): number | undefined =>
  scopes === null ? undefined : user.id
