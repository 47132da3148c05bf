import type { Operation } from '../../../http/openapi/operation.ts'

const FILE_HEADERS = {
  ETag: {
    description: 'The SHA-256 of the file, in quotes.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'Accept-Ranges': { description: 'Always `bytes`.', schema: { type: 'string' }, example: 'bytes' },
  'Content-Disposition': {
    description: 'The name of the file.',
    schema: { type: 'string' },
    example: 'attachment; filename="recording.mkv"',
  },
} as const

const CONDITIONS = {
  'If-Match': {
    description: 'The `ETag` of the version that you expect: 412 if the file is another one.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'If-None-Match': {
    description: 'The `ETag` of a copy that you have: 304 if it is current.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
} as const

const RANGES = {
  Range: {
    description: 'One range: `bytes=a-b`, `bytes=a-` or `bytes=-n`.',
    schema: { type: 'string' },
    example: 'bytes=1048576-',
  },
  'If-Range': {
    description: 'The `ETag` of the part that you have: the whole file is sent if it differs.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  ...CONDITIONS,
} as const

const FILE = { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }

/** For the schema of a route that sends a file. */
export const fileResponse = { 200: FILE, 206: FILE }

const NOT_MODIFIED = { description: 'The copy named by `If-None-Match` is current.' }

/** The reference of every route that sends a file. */
export const download = {
  byHandler: {
    headers: RANGES,
    responses: {
      200: { description: 'The whole file.', headers: FILE_HEADERS },
      206: {
        description: 'The one range of bytes that the `Range` header asks for.',
        headers: {
          'Content-Range': {
            description: 'Which bytes these are, and the size of the file.',
            schema: { type: 'string' },
            example: 'bytes 1048576-48193022/48193023',
          },
          ...FILE_HEADERS,
        },
      },
      304: NOT_MODIFIED,
    },
  },
} as const satisfies Partial<Operation>

/** The reference of the same routes with HEAD. */
export const fileHeaders = {
  description: 'The headers of the download, without the file. Errors have no body, either.',
  byHandler: {
    headers: CONDITIONS,
    responses: {
      200: { description: 'Size, type and name of the file.', headers: FILE_HEADERS },
      304: NOT_MODIFIED,
    },
  },
} as const satisfies Partial<Operation>
