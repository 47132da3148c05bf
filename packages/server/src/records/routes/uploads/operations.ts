import type { Header, Operation } from '../../../http/openapi/operation.ts'

const number = { type: 'integer', minimum: 0 } as const

const TUS = {
  'Tus-Resumable': {
    description: 'The version of the protocol.',
    schema: { const: '1.0.0' },
    example: '1.0.0',
    required: true,
  },
} as const satisfies Record<string, Header>

const OFFSET = {
  description: 'Bytes that the server has.',
  schema: number,
  example: 8_388_608,
} as const satisfies Header

const BLOB_ID = {
  description: 'Once the upload is complete: the id of the verified and stored file.',
  schema: { type: 'string' },
  example: 'b_5f0c2e7d41a84c0f9d3b6a1e8c72f015',
} as const satisfies Header

const UPLOAD_ID = {
  upload_id: {
    description: 'The last part of `Location`.',
    schema: { type: 'string' },
    example: 'b_5f0c2e7d41a84c0f9d3b6a1e8c72f015',
  },
} as const satisfies Record<string, Header>

/** The reference of the routes beside this file. */
export const operations = {
  createUpload: {
    operationId: 'createUpload',
    tag: 'Uploads',
    summary: 'Create an upload',
    description:
      'Begins the upload of a file of a job that the caller holds, or of a file for a conference that the caller is in (tus 1.0.0, creation). A file that is too large, or does not fit on the disk, is refused.',
    errors: [
      'permission_denied',
      'precondition_failed',
      'payload_too_large',
      'insufficient_storage',
      'conversion_unavailable',
      'file_quota_exceeded',
      'scan_unavailable',
      'rate_limited',
    ],
    byHandler: {
      headers: {
        ...TUS,
        'Upload-Length': {
          description: 'Bytes of the file.',
          schema: number,
          example: 48_193_023,
          required: true,
        },
        'Upload-Metadata': {
          description:
            'Pairs of a key and a base64 value, separated by commas. Of a worker: `job_id`, `path`, `content_type` and `sha256` of the whole file. Of a participant: `conference` or `chat_id`, `purpose` (`slides`, `board_image` or `chat_file`), `name` and `sha256`.',
          schema: { type: 'string' },
          example: 'job_id am9iXzlk,path cmVjb3JkaW5nLm1rdg==',
          required: true,
        },
      },
      responses: {
        201: {
          description: 'The upload was created.',
          headers: {
            ...TUS,
            Location: {
              description: 'The address of the upload.',
              schema: { type: 'string' },
              example: '/api/storage/uploads/b_5f0c2e7d41a84c0f9d3b6a1e8c72f015',
            },
            'Upload-Blob-Id': BLOB_ID,
          },
        },
      },
    },
  },
  getUploadOffset: {
    operationId: 'getUploadOffset',
    tag: 'Uploads',
    summary: 'Get the offset of an upload',
    description: 'Where to continue. Received bytes survive a broken connection and a restart of the server.',
    errors: [
      'permission_denied',
      'precondition_failed',
      'blob_not_found',
      'file_quota_exceeded',
      'file_infected',
      'scan_unavailable',
      'insufficient_storage',
    ],
    byHandler: {
      params: UPLOAD_ID,
      headers: TUS,
      responses: {
        200: {
          description: 'The state of the upload.',
          headers: {
            ...TUS,
            'Upload-Offset': OFFSET,
            'Upload-Length': { description: 'Bytes of the file.', schema: number, example: 48_193_023 },
            'Upload-Blob-Id': BLOB_ID,
          },
        },
      },
    },
  },
  appendToUpload: {
    operationId: 'appendToUpload',
    tag: 'Uploads',
    summary: 'Append bytes to an upload',
    description:
      'Appends the body at `Upload-Offset`, which must be the current offset. Send pieces of 8 MiB; a request must finish within 30 s. After the last byte the server verifies the SHA-256 and stores the file.',
    errors: [
      'permission_denied',
      'precondition_failed',
      'blob_not_found',
      'upload_conflict',
      'payload_too_large',
      'unsupported_media_type',
      'file_quota_exceeded',
      'file_infected',
      'scan_unavailable',
      'insufficient_storage',
    ],
    byHandler: {
      params: UPLOAD_ID,
      headers: { ...TUS, 'Upload-Offset': { ...OFFSET, description: 'The current offset.', required: true } },
      body: { type: 'application/offset+octet-stream', description: 'The next bytes of the file.' },
      responses: {
        204: {
          description: 'The bytes are stored.',
          headers: { ...TUS, 'Upload-Offset': OFFSET, 'Upload-Blob-Id': BLOB_ID },
        },
      },
    },
  },
} as const satisfies Record<string, Operation>
