import { join } from 'node:path'
import { joinChunks } from '../compose/recording-file.ts'
import { FRAME_MS } from '../compose/video-format.ts'
import type { Profile } from './profile.ts'

/** By the job parameter `container`: Matroska, which partners receive, or MP4, which every browser plays. */
const CONTAINERS = {
  matroska: { path: 'recording.mkv', contentType: 'video/x-matroska' },
  mp4: { path: 'recording.mp4', contentType: 'video/mp4' },
} as const

/** One file with H.264 and Opus: all participants in the webinar layout. */
export const consolidatedNative: Profile = {
  name: 'consolidated_native',
  composes: true,
  async build(recording, folder) {
    const composer = await recording.composition.composeRemaining(recording.state.endMs)
    const container = recording.job.params.container === 'mp4' ? 'mp4' : 'matroska'
    const artifact = CONTAINERS[container]
    await joinChunks(composer.folder, composer.chunks, join(folder, artifact.path), container)
    const frames = composer.chunks.at(-1)?.to ?? 0
    return {
      artifacts: [artifact],
      endedAtMs: recording.state.startedAtMs + frames * FRAME_MS,
      details: { composition: { chunks: composer.chunks.length, frames, ...composer.statistics } },
    }
  },
}
