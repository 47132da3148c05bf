import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNoRoom } from '@lectern/worker-kit'
import type { Capture } from '../capture/capture.ts'
import type { Recording } from '../recording.ts'
import type { Witness } from '../session/witness.ts'
import { Composer } from './composer.ts'
import type { Ffmpeg } from './ffmpeg.ts'

const LOOK_EVERY_MS = 500
const AFTER_FAILURE_MS = 5_000

/** A chunk that was begun at the lowest priority is waited for so long when the call is over, and then made anew. */
const LIVE_CHUNK_WITHIN_MS = 1500

/** When the chunks of a recording are made: while the call goes on, and what is left when it is over. */
export class Composing {
  #composer: Composer | null = null

  constructor(
    private readonly recording: Recording,
    private readonly ffmpeg: Ffmpeg,
  ) {}

  /** Makes each chunk as soon as all of it is known, until the capture is over. */
  async during(capture: Capture, witness: Witness, over: AbortSignal) {
    const { recording } = this
    const late = new AbortController()
    over.addEventListener('abort', () => setTimeout(() => late.abort(), LIVE_CHUNK_WITHIN_MS).unref())
    const signal = AbortSignal.any([recording.leaves, late.signal])
    const pause = (ms: number) => sleep(ms, null, { signal: AbortSignal.any([signal, over]) }).catch(() => {})
    while (!over.aborted && !signal.aborted) {
      try {
        const composer = await this.#open()
        const untilMs = await capture.flush()
        const known = { untilMs, endMs: witness.emptySinceMs, isLive: true, signal }
        if (recording.disk.hasRoom && (await composer.composeNext(known))) continue
      } catch (err) {
        if (signal.aborted) return
        recording.tell('compose_failed', { error: String(err) })
        if (!isNoRoom(err)) await pause(AFTER_FAILURE_MS)
      }
      await pause(LOOK_EVERY_MS)
    }
  }

  /** Makes what is left, in whichever attempt. */
  async finish(): Promise<Composer> {
    const { endMs, leaves } = this.recording
    const composer = await this.#open()
    const known = { untilMs: Number.POSITIVE_INFINITY, endMs, isLive: false, signal: leaves }
    while (await composer.composeNext(known));
    await composer.readRest()
    return composer
  }

  async #open(): Promise<Composer> {
    const { recording, ffmpeg } = this
    this.#composer ??= await Composer.open({
      folder: join(recording.folder, 'chunks'),
      startedAtMs: recording.state.startedAtMs,
      tracks: recording.tracks,
      people: () => recording.people(),
      ffmpeg,
      failed: (what, err) => recording.tell('compose_failed', { what, error: String(err) }),
    })
    return this.#composer
  }
}
