import type { Lifetime } from '../../call/lifetime.ts'
import type { Speaker } from '../../devices/speaker.ts'
import { Observable } from '../../observable.ts'

export type Player = Pick<HTMLAudioElement, 'pause' | 'play' | 'srcObject'> & {
  /** Not in every browser. */
  setSinkId?: HTMLAudioElement['setSinkId']
}

/** Lets the others be heard, out of the chosen speaker. The value: the browser waits for a click first. */
export class Sound extends Observable<boolean> {
  readonly #speaker: Speaker
  readonly #players = new Set<Player>()

  constructor(speaker: Speaker, life: Lifetime) {
    super(false)
    this.#speaker = speaker
    life.own(speaker.subscribe(() => this.#players.forEach(player => void this.#direct(player))))
  }

  /** Returns what ends it. */
  readonly play = (player: Player, track: MediaStreamTrack): (() => void) => {
    this.#players.add(player)
    player.srcObject = new MediaStream([track])
    void this.#direct(player)
    void this.#start(player)
    return () => {
      this.#players.delete(player)
      player.pause()
      player.srcObject = null
    }
  }

  /** The click that the browser waits for. */
  readonly allow = (): void => {
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
  async #direct(player: Player): Promise<void> {
    await player.setSinkId?.(this.#speaker.get().id).catch(() => {})
  }
}
