import { join } from 'node:path'
import { joinChunks } from '../compose/recording-file.ts'
import { FRAME_MS } from '../compose/video-format.ts'
import type { Profile } from './profile.ts'

/** One Matroska file with H.264 and Opus: all participants in the webinar layout. */
export const consolidatedNative: Profile = {
  name: 'consolidated_native',
  composes: true,
  async build(recording, folder) {
    const composer = await recording.composition.composeRemaining(recording.state.endMs)
    const path = 'recording.mkv'
    await joinChunks(composer.folder, composer.chunks, join(folder, path))
    const frames = composer.chunks.at(-1)?.to ?? 0
    return {
      artifacts: [{ path, contentType: 'video/x-matroska' }],
      endedAtMs: recording.state.startedAtMs + frames * FRAME_MS,
      details: { composition: { chunks: composer.chunks.length, frames, ...composer.statistics } },
    }
  },
}
