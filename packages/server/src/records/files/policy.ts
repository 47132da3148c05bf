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
export function isTooLarge(
  { purpose, size }: Pick<ConferenceFile, 'purpose' | 'size'>,
  contentType: string,
): boolean {
  return purpose === 'slides' && contentType.startsWith('image/') && size > IMAGE_MAX_BYTES
}

export const REFUSED_TYPES = {
  slides: 'Slides are a PDF document, or an image: PNG, JPEG or WebP.',
  board_image: 'An image for the board is a PNG, JPEG or WebP.',
  chat_file:
    'Files of this kind are not accepted: send images, documents, text, audio, video or a ZIP archive.',
} as const
