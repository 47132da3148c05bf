import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deviceIdOf } from '@lectern/protocol/control'
import type { Recording } from '../recording.ts'
import type { Artifact } from './profile.ts'

/** One file of a device. */
export interface ManifestEntry {
  kind: 'audio' | 'video'
  path: string
  contentType: string
  participantId: string
  source: string
  codec: string
  /** Relative to the start of the recording. */
  offsetMs: number
  durationMs: number
  timesPath?: string
}

/** manifest.json, documented in docs/recording.md. */
export async function writeManifest(
  recording: Recording,
  folder: string,
  entries: ManifestEntry[],
): Promise<Artifact> {
  const people = recording.events.attendance.allParticipants()
  const { startedAtMs } = recording.state
  const tracks = entries.map(entry => {
    const person = people.get(entry.participantId)
    return {
      path: entry.path,
      kind: entry.kind,
      source: entry.source,
      codec: entry.codec,
      content_type: entry.contentType,
      device_id: deviceIdOf(entry.participantId),
      participant_id: entry.participantId,
      user_id: person?.user_id ?? '',
      name: person?.display_name ?? '',
      role: person?.role ?? '',
      offset_ms: entry.offsetMs,
      duration_ms: entry.durationMs,
      ...(entry.timesPath && { timestamps_path: entry.timesPath }),
    }
  })
  const manifest = { format: 'lectern.recording.manifest.1', started_at_ms: startedAtMs, tracks }
  const path = 'manifest.json'
  await writeFile(join(folder, path), `${JSON.stringify(manifest, null, 2)}\n`)
  return { path, contentType: 'application/json' }
}
