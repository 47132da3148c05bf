import type { TokenHolder } from '../../../http/authentication.ts'
import type { Blob } from '../../ports.ts'

const REQUIRED_SCOPES = ['integration:rooms', 'blob']

/** A service token needs both scopes; a user token has no scopes and needs none (rule FILE-1). */
export const canDownloadAny = ({ scopes }: TokenHolder): boolean =>
  scopes === null || REQUIRED_SCOPES.every(scope => scopes.includes(scope))

/**
 * A service token permits files of rooms that its technical user owns, regardless of that user's capabilities (decision 14).
 * A user token also permits the user's own files, and every file with the capability `recordings.access`.
 */
export const canDownload = ({ user, scopes }: TokenHolder, blob: Blob, roomOwner: number | null): boolean =>
  user.id === roomOwner ||
  (scopes === null && (user.id === blob.ownerId || user.capabilities.includes('recordings.access')))
