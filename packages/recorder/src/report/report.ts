import type { JobView } from '@lectern/protocol/control'
import { deviceIdOf } from '@lectern/protocol/control'
import type { Attendance } from '../session/attendance.ts'
import type { RecordingState } from '../state.ts'
import type { TrackReader } from '../tracks/track-reader.ts'
import type { Tracks } from '../tracks/tracks.ts'
import type { ListedFile } from './chat-files.ts'
import type { ReportSummary } from './report-log.ts'

interface ReportParts {
  job: JobView
  profile: string
  versions: Record<string, string>
  state: RecordingState
  endedAtMs: number
  tracks: Tracks
  people: Attendance
  externalIds: ReadonlyMap<string, string>
  log: ReportSummary
  /** Files of the chat. */
  files: ListedFile[]
  /** Details from the profile. */
  details: Record<string, unknown>
}

/** report.json, documented in docs/recording.md. */
export function buildReport({ job, profile, versions, state, endedAtMs, ...parts }: ReportParts) {
  const { attempts, troubles } = parts.log
  return {
    format: 'lectern.recording.report.1',
    versions,
    job_id: job.job_id,
    scope: job.scope,
    conference_tag: job.conference_tag,
    conference_session_id: Number(job.conference_session_id),
    profile,
    status: state.end?.status ?? 'completed',
    started_at_ms: state.startedAtMs,
    ended_at_ms: endedAtMs,
    duration_ms: endedAtMs - state.startedAtMs,
    attempts,
    people: [...parts.people.allParticipants().values()].map(person => ({
      participant_id: person.participant_id,
      device_id: deviceIdOf(person.participant_id),
      user_id: person.user_id,
      external_id: parts.externalIds.get(person.user_id) ?? null,
      name: person.display_name,
      role: person.role,
    })),
    files: parts.files,
    tracks: [...parts.tracks.byFile].map(([file, track]) => describeTrack(file, track, state.startedAtMs)),
    troubles,
    ...parts.details,
  }
}

function describeTrack(
  journal: string,
  { head, stats, losses, media, beganAtMs }: TrackReader,
  startedAtMs: number,
) {
  const since = (ms: number) => Math.round(ms - startedAtMs)
  return {
    journal,
    publication_id: head.publicationId,
    participant_id: head.participantId,
    device_id: deviceIdOf(head.participantId),
    source: head.source,
    codec: head.codec.mimeType,
    ssrc: head.ssrc,
    offset_ms: since(stats.firstMs ?? beganAtMs),
    duration_ms: stats.firstMs === null ? 0 : Math.round((stats.lastMs ?? stats.firstMs) - stats.firstMs),
    packets: stats.packets,
    bytes: stats.bytes,
    lost: losses.lost,
    late: losses.late,
    repeated: losses.repeated,
    not_written: stats.unwritten,
    not_understood: stats.unknown,
    misplaced: stats.misplaced,
    frames: stats.frames,
    ...(media.kind === 'video' && { key_frames: stats.keyFrames, broken_frames: media.broken }),
    sender_reports: stats.reports,
    clock_leaps: losses.leaps,
    drift_ms: Math.round(losses.driftMs * 10) / 10,
    gap_count: stats.gapCount,
    gaps: stats.gaps.map(gap => ({ from_ms: since(gap.fromMs), to_ms: since(gap.toMs) })),
  }
}
