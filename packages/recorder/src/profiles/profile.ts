import type { Recording } from '../recording.ts'

/** A file of the record. Its path in the output folder is its logical path in the record. */
export interface Artifact {
  path: string
  contentType: string
}

/** What a profile made of a recording (contract §2.6). */
export interface Made {
  artifacts: Artifact[]
  endedAtMs: number
  /** For the report. */
  details: Record<string, unknown>
}

/** How what was captured becomes the files of the record. */
export interface Profile {
  name: string
  /** Chunks are made while the call goes on. */
  composes: boolean
  make(recording: Recording, folder: string): Promise<Made>
}
