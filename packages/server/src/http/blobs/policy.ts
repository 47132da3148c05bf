import type { Blob } from '../../records/ports.ts'
import type { Holder } from '../holder.ts'

const SCOPES_NEEDED = ['integration:rooms', 'blob']

/** A service token needs both scopes; a user's token has none and needs none (contract §5.4). */
export const canDownloadAny = ({ scopes }: Holder): boolean =>
  scopes === null || SCOPES_NEEDED.every(scope => scopes.includes(scope))

/** Its owner, the owner of the room that it was recorded in, or who may see all recordings (contract §5.5). */
export const canDownload = ({ user }: Holder, blob: Blob, roomOwner: number | null): boolean =>
  user.id === blob.ownerId || user.id === roomOwner || user.capabilities.includes('recordings.access')
