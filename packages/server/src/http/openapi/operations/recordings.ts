import type { Operation } from './operation.ts'

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

const NOT_MODIFIED = { description: 'The copy named by `If-None-Match` is current.' }

const GET_RESPONSES = {
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
}

const HEAD_RESPONSES = {
  200: { description: 'Size, type and name of the file.', headers: FILE_HEADERS },
  304: NOT_MODIFIED,
}

/** The archive of partners, and recordings of users (docs/partner-api.md, docs/http-api.md). */
export const recordingOperations = {
  listRecordings: {
    tag: 'Recordings',
    summary: 'List finished recordings',
    description:
      'Newest first, at most 500. Check both the status and `ok`: with `"ok": false` the archive could not be read, and the empty list means nothing. A service account sees the recordings of its own rooms; its technical user needs the capability `recordings.access`.',
    errors: ['permission_denied'],
  },
  downloadFile: {
    tag: 'Recordings',
    summary: 'Download a file of a recording',
    description:
      'A service token needs the scopes `integration:rooms` and `blob`. To continue a download, send `Range` and `If-Range`.',
    errors: ['blob_not_found', 'precondition_failed', 'range_not_satisfiable', 'permission_denied'],
    headers: RANGES,
    responses: GET_RESPONSES,
  },
  getFileHeaders: {
    tag: 'Recordings',
    summary: 'Get size, type and name of a file',
    description: 'The headers of the download, without the file. Errors have no body, either.',
    errors: ['blob_not_found', 'precondition_failed', 'permission_denied'],
    headers: CONDITIONS,
    responses: HEAD_RESPONSES,
  },
  listOwnRecordings: {
    tag: 'Own recordings',
    summary: 'List your recordings',
    description:
      'Recordings of conferences that you created, last finished first, in pages. The first page has unfinished ones, too.',
    response: { next: null },
  },
  getOwnRecording: {
    tag: 'Own recordings',
    summary: 'Get one of your recordings',
    description: 'A recording with its files.',
    errors: ['recording_not_found'],
  },
  getOwnTranscript: {
    tag: 'Own recordings',
    summary: 'Get the transcript of your recording',
    description:
      'The phrases of every transcription that overlaps the recording, in pages of at most 20,000.',
    errors: ['recording_not_found'],
  },
  downloadOwnCaptions: {
    tag: 'Own recordings',
    summary: 'Download the transcript of your recording as WebVTT captions',
    description: 'All phrases, with the speakers as voices.',
    errors: ['recording_not_found'],
  },
  deleteOwnRecording: {
    tag: 'Own recordings',
    summary: 'Delete your recording, its files and its transcript',
    description:
      'Removes the recording from the list and from the archive at once; the files follow. It may be repeated.',
    errors: ['recording_not_found'],
  },
  createFileLink: {
    tag: 'Own recordings',
    summary: 'Create a short-lived link to a file of your recording',
    description:
      'For elements that cannot send a header, such as `<video>`. The link opens this one file, for ten minutes, and ends with the sign-in.',
    errors: ['recording_not_found', 'blob_not_found', 'rate_limited'],
    response: {
      url: '/api/v1.0/me/recordings/job_5e8c9902207afaeb7120430c/files/b_5f0c2e7d41a84c0f9d3b6a1e8c72f015?link=eyJhbGciOiJIUzI1NiJ9.eyJibG9iIjoiYl81ZiJ9.9xQw',
      expires_in: 600,
    },
  },
  downloadOwnFile: {
    tag: 'Own recordings',
    summary: 'Download a file of your recording',
    description: 'Authorised by an access token or by a link.',
    errors: ['recording_not_found', 'blob_not_found', 'precondition_failed', 'range_not_satisfiable'],
    headers: RANGES,
    responses: GET_RESPONSES,
  },
  getOwnFileHeaders: {
    tag: 'Own recordings',
    summary: 'Get size, type and name of a file of your recording',
    description: 'The headers of the download, without the file. Errors have no body, either.',
    errors: ['recording_not_found', 'blob_not_found', 'precondition_failed'],
    headers: CONDITIONS,
    responses: HEAD_RESPONSES,
  },
} as const satisfies Record<string, Operation>
