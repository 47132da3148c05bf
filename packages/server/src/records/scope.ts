const RECORDING = 'recording:'
const TRANSCRIPT = 'transcript:'

/** The storage scope of what was recorded in a conference (docs/uploads.md). */
export const recordingScope = (tag: string): string => RECORDING + tag

/** The conference of a scope; null when it is another kind. */
export const tagOfScope = (scope: string): string | null =>
  scope.startsWith(RECORDING) ? scope.slice(RECORDING.length) : null

/** Of the document that a transcriber hands in: it is read by the server, and then removed. */
export const transcriptScope = (jobId: string): string => TRANSCRIPT + jobId
