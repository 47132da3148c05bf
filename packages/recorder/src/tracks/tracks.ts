import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SceneTrack } from '../compose/scenes.ts'
import type { AudioTrack } from './audio-track.ts'
import { TrackReader } from './track-reader.ts'

/** All tracks of a recording, earlier attempts first. */
export class Tracks {
  readonly byFile = new Map<string, TrackReader>()
  /** Names of journals that are still being written. */
  readonly openJournals = new Set<string>()

  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Reads on; everything that arrived by then must be in the journals. */
  async advance(knownUntilMs: number) {
    await this.#discover()
    for (const [file, track] of this.byFile) await track.advance(knownUntilMs, this.openJournals.has(file))
  }

  prune(beforeMs: number, beforeSample: number) {
    for (const { media } of this.byFile.values()) {
      if (media.kind === 'video') media.prune(beforeMs)
      else media.prune(beforeSample)
    }
  }

  audio(): AudioTrack[] {
    return [...this.byFile.values()].flatMap(({ media }) => (media.kind === 'audio' ? media : []))
  }

  forScenes(): SceneTrack[] {
    return [...this.byFile].map(([file, { head, media }]) => ({
      file,
      participantId: head.participantId,
      source: head.source,
      ...(media.kind === 'video' ? { visible: media.visible } : { voicedAtMs: media.voicedAtMs }),
    }))
  }

  async #discover() {
    const files = (await readdir(this.#folder)).filter(name => name.endsWith('.rtp')).sort()
    for (const file of files) {
      if (this.byFile.has(file)) continue
      const track = await TrackReader.open(join(this.#folder, file))
      if (track) this.byFile.set(file, track)
    }
  }
}
