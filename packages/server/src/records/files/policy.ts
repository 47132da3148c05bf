import { ensure, type FilePurpose, IMAGE_MAX_BYTES } from '@lectern/protocol'
import type { ConferenceFile, Insider } from '../ports.ts'

/** Who may upload what. Throws `permission_denied`. */
export function ensureMayUpload(
  { isModerator, mayWrite, maySendFiles }: Insider,
  purpose: FilePurpose,
): void {
  if (purpose === 'slides') ensure(isModerator, 'permission_denied', 'Only moderators may add slides.')
  if (purpose !== 'chat_file') return
  ensure(mayWrite, 'permission_denied', 'You may not write in the chat.')
  ensure(maySendFiles, 'permission_denied', 'You may not send files here right now.')
}

/** Images may be smaller than documents. */
export function isTooLarge({ purpose, size }: ConferenceFile, contentType: string): boolean {
  return purpose === 'slides' && contentType.startsWith('image/') && size > IMAGE_MAX_BYTES
}
