import { mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { tryEach } from '@lectern/common'
import type { Recording } from '../recording.ts'
import { DeviceAudio, readThrough } from './device-files.ts'
import { type ManifestEntry, writeManifest } from './manifest.ts'
import type { Profile } from './profile.ts'

/** Values of `params.format`. */
const formats = {
  wav: { args: ['-c:a', 'pcm_s16le', '-rf64', 'auto'], contentType: 'audio/wav', codec: 'pcm_s16le' },
  mp3: { args: ['-c:a', 'libmp3lame', '-b:a', '64k'], contentType: 'audio/mpeg', codec: 'mp3' },
}
type Format = keyof typeof formats

const isFormat = (format: unknown): format is Format =>
  typeof format === 'string' && Object.hasOwn(formats, format)

/** Decoded audio of each device: 48 kHz, mono. */
export const decodedAudio: Profile = {
  name: 'decoded_audio',
  composes: false,
  async build(recording, folder) {
    const requested = recording.job.params.format
    const format = isFormat(requested) ? requested : 'wav'
    const audio = new DeviceAudio(folder, recording.state.startedAtMs)
    await readThrough(recording, async ({ head, media }) => {
      if (media.kind === 'audio') await audio.add(head, media.take())
      else media.take()
    })
    const encoded = await audio.close()
    const entries: ManifestEntry[] = []
    // A process for each person of a large class at once would exhaust the memory, and none would end in time.
    const decodeNext = async ([index, entry]: [number, ManifestEntry]) => {
      entries[index] = await decode(recording, folder, entry, format)
    }
    await tryEach(encoded.entries(), decodeNext, { atOnce: availableParallelism() })
    await rm(join(folder, 'tracks'), { recursive: true, force: true })
    return {
      artifacts: [await writeManifest(recording, folder, entries), ...entries],
      endedAtMs: recording.state.endMs,
      details: { audio_format: format },
    }
  },
}

async function decode(recording: Recording, folder: string, entry: ManifestEntry, format: Format) {
  const path = entry.path.replace(/^tracks\//, '').replace(/ogg$/, format)
  const { args, contentType, codec } = formats[format]
  await mkdir(join(folder, 'audio'), { recursive: true })
  const input = ['-c:a', 'libopus', '-f', 'ogg', '-i', entry.path]
  const output = ['-ac', '1', '-ar', '48000', ...args, path]
  await recording.runFfmpeg([...input, ...output], folder, entry.durationMs)
  return { ...entry, path, contentType, codec }
}
