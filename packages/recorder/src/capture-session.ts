import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HeldJob } from '@lectern/worker-kit'
import { withPictures } from './board/board-images.ts'
import { withGrowth } from './board/growing-strokes.ts'
import { Capture } from './capture/capture.ts'
import { nowMs } from './clock/now.ts'
import { KEY_FRAME_INTERVAL } from './compose/chunks.ts'
import { cameraTileSize, LARGE_SIZE } from './compose/layout.ts'
import { FRAME_MS } from './compose/video-format.ts'
import type { Recording } from './recording.ts'
import { AttendanceLog } from './session/attendance-log.ts'
import { recordingEnd, untilSessionEnds } from './session/session-end.ts'

/** Captures until the session ends or the job must stop; with `composes`, composes chunks meanwhile. */
export async function captureSession(held: HeldJob, recording: Recording, composes: boolean): Promise<void> {
  const { board, disk, events, images, reportLog, strokes } = recording
  const attendance = new AttendanceLog(held, events, events.attendance)
  await disk.check()
  const capture = await openCapture(recording)
  const updateCameraSizes = () => {
    if (!composes) return
    const { presentCount, spotlit } = attendance
    const large = presentCount > 1 ? spotlit : new Set<string>()
    const size = cameraTileSize(presentCount, capture.hasScreen || large.size > 0)
    capture.setCameraSizes(id => (large.has(id) ? LARGE_SIZE : size))
  }
  // The session may end before the first tick.
  attendance.refresh()
  updateCameraSizes()
  const followed = withPictures(board, images)
  const unsubscribe = [
    held.onSession(event => attendance.onEvent(event)),
    held.onTrack(track => capture.add(track)),
    held.followBoard(composes ? withGrowth(followed, strokes) : followed, board.followedPages()),
    disk.onChange(({ hasSpace }) => {
      held.progress({ active: hasSpace })
      if (hasSpace) capture.requestKeyFrames()
    }),
  ]
  // A job that was stopped before it started captures nothing.
  if (!held.stop.aborted) held.progress({ active: disk.hasSpace })
  const captureEnded = new AbortController()
  const composing = composes
    ? recording.composition.composeLive(capture, attendance, captureEnded.signal)
    : null
  try {
    await untilSessionEnds(held, attendance, async () => {
      await disk.check().catch(() => {})
      attendance.refresh()
      updateCameraSizes()
      if (!composes) events.attendance.presence.prune(nowMs())
      reportLog.flush()
      events.flush()
      board.flush()
    })
    recording.throwIfHandedOver()
    await endRecording(held, recording, attendance)
  } finally {
    captureEnded.abort()
    await composing
    for (const off of unsubscribe) off()
    await capture.close()
  }
}

function openCapture({ trackFolder, state, disk, tracks, reportLog }: Recording): Promise<Capture> {
  return Capture.open({
    folder: trackFolder,
    attempt: String(state.attempts).padStart(4, '0'),
    disk,
    openJournals: tracks.openJournals,
    startedAtMs: state.startedAtMs,
    keyFrameIntervalMs: KEY_FRAME_INTERVAL * FRAME_MS,
    failed: (track, err) =>
      reportLog.add('track_failed', { publication_id: track.publicationId, error: String(err) }),
  })
}

async function endRecording(held: HeldJob, recording: Recording, attendance: AttendanceLog): Promise<void> {
  const { state, events, board, reportLog } = recording
  const end = await recordingEnd(held, attendance, () => lastWrittenMs(recording))
  state.end = end
  held.progress({ active: false })
  reportLog.add('capture_ended', { status: end.status, ended_at_ms: end.atMs })
  await recording.retryWhileDiskFull(async () => {
    events.write()
    board.write()
    await state.save()
  })
}

async function lastWrittenMs({ trackFolder, state, events }: Recording): Promise<number> {
  const journals = (await readdir(trackFolder)).map(name => join(trackFolder, name))
  const times = await Promise.all([...journals, events.file].map(modifiedAtMs))
  return Math.max(state.startedAtMs, ...times)
}

/** The time on the recording's clock, which continues when the system clock is set. */
async function modifiedAtMs(file: string): Promise<number> {
  const stats = await stat(file).catch(() => null)
  return stats ? Math.min(nowMs(), stats.mtimeMs + nowMs() - Date.now()) : 0
}
