import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '@lectern/worker-kit'
import { FRAME_MS } from '../compose/video-format.ts'
import type { Artifact } from '../profiles/profile.ts'
import type { Recording } from '../recording.ts'
import type { Person } from './people.ts'

/** A camera adjusts its exposure at first, and a shared screen is sharp after a while. */
const SETTLED_MS = 2_000
/** Bounds the search in hours with flickering cameras. */
const CANDIDATES_MAX = 500

/**
 * The position of the frame of a recording at which most is visible, a screen counting more than a camera; the middle
 * without any.
 */
export function posterMoment(people: Person[], startedAtMs: number, endedAtMs: number): number {
  const visible = people.flatMap(({ cameras, screens }) => [
    ...cameras.map(span => ({ ...span, weight: 2 })),
    ...screens.map(span => ({ ...span, weight: 3 })),
  ])
  const shown = visible
    .map(span => ({
      ...span,
      fromMs: Math.max(span.fromMs, startedAtMs),
      toMs: Math.min(span.toMs, endedAtMs),
    }))
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .sort((a, b) => a.fromMs - b.fromMs)
  let best = { atMs: (startedAtMs + endedAtMs) / 2, weight: 0 }
  for (const { fromMs, toMs } of shown.slice(0, CANDIDATES_MAX)) {
    const atMs = fromMs + Math.min(SETTLED_MS, (toMs - fromMs) / 2)
    const weight = shown
      .filter(span => span.fromMs <= atMs && atMs < span.toMs)
      .reduce((sum, span) => sum + span.weight, 0)
    if (weight > best.weight) best = { atMs, weight }
  }
  // ffmpeg takes the first frame at or after a position: after the beginning of the last one there is none.
  return Math.floor((best.atMs - startedAtMs) / FRAME_MS) * FRAME_MS
}

/**
 * Makes poster.jpg from the composed video. Null if that is not possible: a recording is complete without it. Throws on a
 * full disk, and when another process continues the recording.
 */
export async function makePoster(
  recording: Recording,
  folder: string,
  video: string,
  positionMs: number,
): Promise<Artifact | null> {
  const path = 'poster.jpg'
  const seek = ['-ss', (positionMs / 1000).toFixed(3), '-i', video]
  const encoder = ['-frames:v', '1', '-q:v', '4', '-pix_fmt', 'yuvj420p']
  const output = ['-map', '0:v:0', ...encoder, '-f', 'image2', '-update', '1', path]
  try {
    await recording.runFfmpeg([...seek, ...output], folder)
    // ffmpeg succeeds without a file when there is no frame at that position.
    if ((await stat(join(folder, path))).size > 0) return { path, contentType: 'image/jpeg' }
    throw new Error('the image is empty')
  } catch (err) {
    recording.throwIfHandedOver()
    if (isDiskFull(err)) throw err
    recording.reportLog.add('poster_failed', { error: String(err) })
    return null
  }
}
