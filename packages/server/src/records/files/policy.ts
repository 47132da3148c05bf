import { ensure, type FilePurpose, IMAGE_MAX_BYTES } from '@lectern/protocol'
import type { ConferenceFile, Insider } from '../ports.ts'

/** Checks the right to upload. Throws `permission_denied`. */
export function ensureMayUpload(
  { isModerator, mayWrite, maySendFiles }: Insider,
  purpose: FilePurpose,
): void {
  if (purpose === 'slides') ensure(isModerator, 'permission_denied', 'Only moderators may add slides.')
  if (purpose !== 'chat_file') return
  ensure(mayWrite, 'permission_denied', 'You may not write in the chat.')
  ensure(maySendFiles, 'permission_denied', 'You may not send files here right now.')
}

/**
 * Whether somebody inside may read a file of the conference, also of an earlier session: one of the chat that they read, or of
 * a board that was kept. What was put from outside of sessions is for all of them.
 */
export function isReadInside(
  { sessionId, chatId }: Pick<ConferenceFile, 'sessionId' | 'chatId'>,
  inside: Insider,
): boolean {
  if (chatId !== null) return chatId === inside.chatId
  return !inside.hasFreshBoard || sessionId === 0 || sessionId === inside.sessionId
}

/** Images may be smaller than documents. */
export function isTooLarge(
  { purpose, size }: Pick<ConferenceFile, 'purpose' | 'size'>,
  contentType: string,
): boolean {
  return purpose === 'slides' && contentType.startsWith('image/') && size > IMAGE_MAX_BYTES
}

const PDF_INSTEAD = 'Save it as PDF, which looks exactly like the original.'

/** Why slides are refused that are neither PDF nor image, by what this server converts. */
export const refusedSlides = (isOffice: boolean): string =>
  isOffice
    ? `Slides are a PDF document, an image (PNG, JPEG or WebP), or a PPTX, PPSX, DOCX, ODP or ODT document without macros. ${PDF_INSTEAD}`
    : `Slides are a PDF document, or an image: PNG, JPEG or WebP. This server opens no office documents. ${PDF_INSTEAD}`

export const REFUSED_TYPES = {
  board_image: 'An image for the board is a PNG, JPEG or WebP.',
  chat_file:
    'Files of this kind are not accepted: send images, documents, text, audio, video or a ZIP archive.',
} as const
