import { type Lifetime, Observable } from '@lectern/common'
import type { Speaker } from '../../devices/speaker.ts'

export type Player = Pick<HTMLAudioElement, 'pause' | 'play' | 'srcObject'> &
  Pick<EventTarget, 'addEventListener' | 'removeEventListener'> & {
    /** Not in every browser. */
    setSinkId?: HTMLAudioElement['setSinkId']
  }

const PAUSED_AGAIN_MS = 1_000

/**
 * Plays remote audio on the chosen speaker, also after the system has paused it, as for a phone call. The value: whether the
 * browser blocks playback until a click.
 */
export class AudioPlayback extends Observable<boolean> {
  readonly #speaker: Speaker
  readonly #players = new Set<Player>()

  constructor(speaker: Speaker, lifetime: Lifetime) {
    super(false)
    this.#speaker = speaker
    lifetime.defer(speaker.subscribe(() => this.#players.forEach(player => void this.#setOutput(player))))
  }

  /** Returns the function that stops it. */
  readonly play = (player: Player, track: MediaStreamTrack): (() => void) => {
    this.#players.add(player)
    player.srcObject = new MediaStream([track])
    void this.#setOutput(player)
    void this.#start(player)
    let resumedAtMs = Number.NEGATIVE_INFINITY
    const onPause = () => {
      if (track.readyState === 'ended') return
      // A system that pauses again at once would be asked for ever.
      if (performance.now() - resumedAtMs < PAUSED_AGAIN_MS) return this.set(true)
      resumedAtMs = performance.now()
      void this.#start(player)
    }
    player.addEventListener('pause', onPause)
    return () => {
      player.removeEventListener('pause', onPause)
      this.#players.delete(player)
      player.pause()
      player.srcObject = null
    }
  }

  /** To be called on the click that the browser requires. */
  readonly resume = (): void => {
    this.set(false)
    for (const player of this.#players) void this.#start(player)
  }

  async #start(player: Player): Promise<void> {
    try {
      await player.play()
    } catch (error) {
      // Any other error comes from a player that was stopped meanwhile.
      if (error instanceof Error && error.name === 'NotAllowedError') this.set(true)
    }
  }

  /** When the speaker is missing, the output stays as it was. */
  async #setOutput(player: Player): Promise<void> {
    await player.setSinkId?.(this.#speaker.get().id).catch(() => {})
  }
}
