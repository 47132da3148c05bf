import { DeviceAudio, readThrough } from './device-files.ts'
import { DeviceVideos } from './device-videos.ts'
import { type ManifestEntry, writeManifest } from './manifest.ts'
import type { Artifact, Profile } from './profile.ts'

/** The media of each device as it was sent. */
export const rawTracks: Profile = {
  name: 'raw_tracks_v1',
  composes: false,
  async build(recording, folder) {
    const audio = new DeviceAudio(folder, recording.state.startedAtMs)
    const videos = new DeviceVideos(folder, recording.state.startedAtMs)
    await readThrough(recording, async (track, journal) => {
      const { head, media } = track
      if (media.kind === 'audio') await audio.add(head, media.take())
      else await videos.add(journal, track, media.take())
    })
    const entries: ManifestEntry[] = [...(await audio.close()), ...(await videos.close())]
    return {
      artifacts: [await writeManifest(recording, folder, entries), ...entries.flatMap(artifactsOf)],
      endedAtMs: recording.state.endMs,
      details: {},
    }
  },
}

const artifactsOf = ({ path, contentType, timesPath }: ManifestEntry): Artifact[] => [
  { path, contentType },
  ...(timesPath ? [{ path: timesPath, contentType: 'text/plain' }] : []),
]
