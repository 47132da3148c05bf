import type { Lifetime } from '@lectern/common'
import { Observable } from '@lectern/common'
import type { Speaker } from '../../devices/speaker.ts'

export type Player = Pick<HTMLAudioElement, 'pause' | 'play' | 'srcObject'> & {
  /** Not in every browser. */
  setSinkId?: HTMLAudioElement['setSinkId']
}

/** Lets the others be heard, out of the chosen speaker. The value: the browser waits for a click first. */
export class AudioPlayback extends Observable<boolean> {
  readonly #speaker: Speaker
  readonly #players = new Set<Player>()

  constructor(speaker: Speaker, lifetime: Lifetime) {
    super(false)
    this.#speaker = speaker
    lifetime.defer(speaker.subscribe(() => this.#players.forEach(player => void this.#setOutput(player))))
  }

  /** Returns what ends it. */
  readonly play = (player: Player, track: MediaStreamTrack): (() => void) => {
    this.#players.add(player)
    player.srcObject = new MediaStream([track])
    void this.#setOutput(player)
    void this.#start(player)
    return () => {
      this.#players.delete(player)
      player.pause()
      player.srcObject = null
    }
  }

  /** The click that the browser waits for. */
  readonly resume = (): void => {
    this.set(false)
    for (const player of this.#players) void this.#start(player)
  }

  async #start(player: Player): Promise<void> {
    try {
      await player.play()
    } catch (error) {
      // Any other error is that of a player that has ended meanwhile.
      if (error instanceof Error && error.name === 'NotAllowedError') this.set(true)
    }
  }

  /** A speaker that is gone meanwhile leaves the sound where it was. */
  async #setOutput(player: Player): Promise<void> {
    await player.setSinkId?.(this.#speaker.get().id).catch(() => {})
  }
}
