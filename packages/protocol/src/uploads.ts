import { type Static, Type } from 'typebox'

/** Uploads of workers: the tus protocol 1.0.0 with this `Upload-Metadata`. */

export const UPLOADS_PATH = '/api/storage/uploads'
/** In the response that completes an upload: the id of the verified and stored file. */
export const BLOB_ID_HEADER = 'upload-blob-id'

/** The maximum size of a file. */
export const UPLOAD_MAX_BYTES = 200 * 1024 ** 3

/** Relative paths of letters, digits and some punctuation; no part is empty or begins with a dot. */
const PATH = '^(?!\\.)[A-Za-z0-9._@+=-]+(/(?!\\.)[A-Za-z0-9._@+=-]+)*$'

export const UploadMetadata = Type.Object({
  job_id: Type.String({ minLength: 1, maxLength: 128, description: 'The uploader must hold the job.' }),
  path: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: PATH,
    description: 'Logical path in the recording, e.g. tracks/audio/device_7.ogg.',
  }),
  content_type: Type.String({ maxLength: 100, pattern: '^[a-z]+/[a-z0-9.+-]+$' }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the whole file.' }),
})
export type UploadMetadata = Static<typeof UploadMetadata>

/** S3 stores at most 10,000 parts of a file. */
const PIECES_MAX = 10_000
const PIECE_UNIT_BYTES = 8 * 1024 * 1024

/**
 * The length of the pieces of an upload: 8 MiB, a multiple of it for files of more than 78 GiB. A server whose files are in an
 * object storage accepts whole pieces only (docs/uploads.md, rule U8). One piece is the body of one request, which must
 * arrive within the request timeout of the server (30 s).
 */
export const uploadPieceBytes = (size: number): number =>
  PIECE_UNIT_BYTES * Math.max(1, Math.ceil(size / (PIECE_UNIT_BYTES * PIECES_MAX)))
