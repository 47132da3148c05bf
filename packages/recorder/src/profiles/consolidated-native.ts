import { join } from 'node:path'
import { type Container, joinChunks } from '../compose/recording-file.ts'
import { FRAME_MS } from '../compose/video-format.ts'
import type { Artifact, Profile } from './profile.ts'

/** One file with H.264 and Opus: all participants in the webinar layout. */
const consolidated = (name: string, container: Container, artifact: Artifact): Profile => ({
  name,
  composes: true,
  async build(recording, folder) {
    const composer = await recording.composition.composeRemaining(recording.state.endMs)
    await joinChunks(composer.folder, composer.chunks, join(folder, artifact.path), container)
    const frames = composer.chunks.at(-1)?.to ?? 0
    return {
      artifacts: [artifact],
      endedAtMs: recording.state.startedAtMs + frames * FRAME_MS,
      details: { composition: { chunks: composer.chunks.length, frames, ...composer.statistics } },
    }
  },
})

/** Matroska, which partners receive. */
export const consolidatedNative = consolidated('consolidated_native', 'matroska', {
  path: 'recording.mkv',
  contentType: 'video/x-matroska',
})

/** MP4, which every browser plays. */
export const consolidatedMp4 = consolidated('consolidated_mp4', 'mp4', {
  path: 'recording.mp4',
  contentType: 'video/mp4',
})
