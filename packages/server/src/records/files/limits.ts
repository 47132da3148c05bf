import { CHAT_FILE_MAX_BYTES, type FilePurpose, IMAGE_MAX_BYTES, PDF_MAX_BYTES } from '@lectern/protocol'

const MEGABYTE = 1_000_000

/** The maximum size of a file when its upload begins; what it is, is known at the end. */
export const MAX_BYTES: Record<FilePurpose, number> = {
  slides: PDF_MAX_BYTES,
  board_image: IMAGE_MAX_BYTES,
  chat_file: CHAT_FILE_MAX_BYTES,
}
/** Bytes of all files of a purpose in a session; in a conversation outside of sessions, within a day. */
export const SESSION_MAX_BYTES: Record<FilePurpose, number> = {
  slides: 500 * MEGABYTE,
  board_image: 500 * MEGABYTE,
  chat_file: 200 * MEGABYTE,
}
export const SESSION_MAX_FILES = 500
/** Bytes of all files that an account uploaded within a day. */
export const ACCOUNT_MAX_BYTES = 1_000 * MEGABYTE
export const ACCOUNT_PERIOD_MS = 86_400_000
/** Uploads that begin. An address may be a school. */
export const UPLOADS_PER_MINUTE = 10
export const UPLOADS_PER_MINUTE_OF_ADDRESS = 120
/** A file in a chat that no message has then is removed. */
export const UNSENT_MAX_MS = 86_400_000
/** An upload that is not finished then is removed. */
export const UPLOAD_MAX_MS = 3_600_000
