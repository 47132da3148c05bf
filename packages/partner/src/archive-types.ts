/** One stored file. Select files by `path` and `content_type`, never by position. */
export interface FileRecord {
  path: string
  blob_id: string
  /** Absolute, or relative to the base URL; `downloadBlob` accepts both. */
  url: string
  /** Bytes. */
  size: number
  content_type: string
  /** Lowercase hexadecimal. */
  sha256: string
  scope: string
}

/** The fields of a recording that the archive and events have. Ids and URLs are empty where there is no such file. */
export interface FinishedRecording {
  id: string
  job_id: string
  conference_tag: string
  /** 0 for old records without a reliable link. */
  conference_session_id: number
  /** An open set, such as `consolidated_native`. */
  profile: string
  /** An open set, such as `completed` or `stopped`. */
  status: string
  /** Unix milliseconds. */
  started_at_ms: number
  ended_at_ms: number
  duration_ms: number
  report_blob_id: string
  report_url: string
  manifest_blob_id: string
  manifest_url: string
  files: FileRecord[]
}

export interface RecordingRecord extends FinishedRecording {
  output_dir: string
  report_jsonl_blob_id: string
  report_jsonl_url: string
  events_blob_id: string
  events_url: string
  /** Unix seconds. */
  created_at: number
  updated_at: number
  artifact: Record<string, unknown>
}

export interface RecordingsResponse {
  ok: boolean
  error?: string
  recordings: RecordingRecord[]
}
