import { basename } from 'node:path'
import type { FileRecord, RecordingRecord } from '@lectern/protocol'
import type { RecordedFile, Recording } from './ports.ts'
import { recordingScope } from './scope.ts'

/** Relative to the base address, whichever of them the caller uses (docs/partner-api.md#recordings). */
const blobUrl = (blobId: string) => blobId && `/api/storage/blobs/${blobId}`

export function presentRecording(recording: Recording): RecordingRecord {
  const blobOf = (path: string) => recording.files.find(file => file.path === path)?.blobId ?? ''
  const [report, reportLines] = [blobOf('report.json'), blobOf('report.jsonl')]
  const [manifest, events] = [blobOf('manifest.json'), blobOf('events.jsonl')]
  return {
    id: recording.jobId,
    job_id: recording.jobId,
    conference_tag: recording.conferenceTag,
    conference_session_id: recording.conferenceSessionId,
    profile: recording.profile,
    status: recording.status,
    started_at_ms: recording.startedAtMs,
    ended_at_ms: recording.endedAtMs,
    duration_ms: recording.durationMs,
    output_dir: basename(recording.outputDir),
    report_blob_id: report,
    report_url: blobUrl(report),
    report_jsonl_blob_id: reportLines,
    report_jsonl_url: blobUrl(reportLines),
    manifest_blob_id: manifest,
    manifest_url: blobUrl(manifest),
    events_blob_id: events,
    events_url: blobUrl(events),
    files: recording.files.map(file => presentFile(file, recording.conferenceTag)),
    created_at: recording.indexedAt,
    updated_at: recording.indexedAt,
    artifact: recording.artifact,
  }
}

const presentFile = (file: RecordedFile, tag: string): FileRecord => ({
  path: file.path,
  blob_id: file.blobId,
  url: blobUrl(file.blobId),
  size: file.size,
  content_type: file.contentType,
  sha256: file.sha256,
  scope: recordingScope(tag),
})
