import type { Recording } from '../recording.ts'

/** A file of the recording. Its path in the output folder is its logical path. */
export interface Artifact {
  path: string
  contentType: string
}

/** The output of a profile. */
export interface Made {
  artifacts: Artifact[]
  endedAtMs: number
  /** Included in the report. */
  details: Record<string, unknown>
}

/** Turns captured media into the files of a recording. */
export interface Profile {
  name: string
  /** Whether chunks are composed during the call. */
  composes: boolean
  build(recording: Recording, folder: string): Promise<Made>
}
