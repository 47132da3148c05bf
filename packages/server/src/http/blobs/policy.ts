import type { Blob } from '../../records/ports.ts'
import type { TokenHolder } from '../authentication.ts'

const SCOPES_NEEDED = ['integration:rooms', 'blob']

/** A service token needs both scopes; a user's token has none and needs none (rule FILE-1). */
export const canDownloadAny = ({ scopes }: TokenHolder): boolean =>
  scopes === null || SCOPES_NEEDED.every(scope => scopes.includes(scope))

/**
 * A service token: files of rooms that its technical user owns, whatever capabilities that user has (decision 14).
 * A user token: also one's own files, and every file with the capability.
 */
export const canDownload = ({ user, scopes }: TokenHolder, blob: Blob, roomOwner: number | null): boolean =>
  user.id === roomOwner ||
  (scopes === null && (user.id === blob.ownerId || user.capabilities.includes('recordings.access')))
