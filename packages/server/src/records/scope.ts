const RECORDING = 'recording:'
const TRANSCRIPT = 'transcript:'
const DOCUMENT = 'document:'

/** The storage scope of a conference's recordings (docs/uploads.md). */
export const recordingScope = (tag: string): string => RECORDING + tag

/** The conference of a recording scope; null for other scopes. */
export const tagOfScope = (scope: string): string | null =>
  scope.startsWith(RECORDING) ? scope.slice(RECORDING.length) : null

/** The scope of a transcriber's upload, which the server reads and then deletes. */
export const transcriptScope = (jobId: string): string => TRANSCRIPT + jobId

/** The scope of files of conferences: their own table says whose they are. */
export const FILE_SCOPE = 'file'

/** The scope of what a converter uploads for the pages of a file. */
export const documentScope = (fileId: string): string => DOCUMENT + fileId

/** The file of a document's scope; null for other scopes. */
export const fileOfScope = (scope: string): string | null =>
  scope.startsWith(DOCUMENT) ? scope.slice(DOCUMENT.length) : null
