const RECORDING = 'recording:'
const TRANSCRIPT = 'transcript:'

/** The storage scope of a conference's recordings (docs/uploads.md). */
export const recordingScope = (tag: string): string => RECORDING + tag

/** The conference of a recording scope; null for other scopes. */
export const tagOfScope = (scope: string): string | null =>
  scope.startsWith(RECORDING) ? scope.slice(RECORDING.length) : null

/** The scope of a transcriber's upload, which the server reads and then deletes. */
export const transcriptScope = (jobId: string): string => TRANSCRIPT + jobId
