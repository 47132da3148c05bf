/** Recordings that their owners deleted. The rows keep late results of their jobs from bringing anything back. */
export interface RecordingRemovalsTable {
  job_id: string
  conference_tag: string
  conference_session_id: number
  started_at_ms: number
  ended_at_ms: number
  /** JSON: ids of the files. */
  blob_ids: string
  removed_at: number
  /** When all files were removed; null: not yet. */
  completed_at: number | null
}

export interface OwnRecordingTables {
  recording_removals: RecordingRemovalsTable
}
