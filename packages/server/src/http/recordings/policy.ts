import type { Holder } from '../holder.ts'

/** Rule ARCHIVE-1. */
export const canReadArchive = ({ user }: Holder): boolean => user.capabilities.includes('recordings.access')

/** Whose rooms are shown: a partner's backend sees its own, a person with the capability all (decision 14). */
export const shownOwner = ({ user, scopes }: Holder): number | undefined =>
  scopes === null ? undefined : user.id
