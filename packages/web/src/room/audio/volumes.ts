import { Observable } from '@lectern/common'
import type { StoredValue } from '../../stored-value.ts'

/** Audio of a person: the voice, or the sound of the shared screen. */
export type VolumeOf = 'voice' | 'screen'

/** Beyond that the oldest are forgotten. */
const PEOPLE_MAX = 200

/** The playback volume of each person for this viewer, from 0 to 1, as long as the tab is open. Others do not notice. */
export class Volumes extends Observable<ReadonlyMap<string, number>> {
  readonly #stored: StoredValue

  /** `stored` belongs to the tab. */
  constructor(stored: StoredValue) {
    super(read(stored.get()))
    this.#stored = stored
  }

  /** Unchanged volumes are 1. */
  readonly of = (userId: string, what: VolumeOf): number => this.get().get(keyOf(userId, what)) ?? 1

  readonly choose = (userId: string, what: VolumeOf, volume: number): void => {
    const volumes = new Map(this.get())
    volumes.delete(keyOf(userId, what))
    if (volume < 1) volumes.set(keyOf(userId, what), Math.max(volume, 0))
    const newest = [...volumes].slice(-PEOPLE_MAX)
    this.#stored.set(JSON.stringify(newest))
    this.set(new Map(newest))
  }
}

const keyOf = (userId: string, what: VolumeOf) => `${what} ${userId}`

/** Users can change what is stored. */
function read(text: string | null): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    const isVolume = (each: unknown): each is [string, number] =>
      Array.isArray(each) && typeof each[0] === 'string' && each[1] >= 0 && each[1] <= 1
    return new Map(Array.isArray(stored) ? stored.filter(isVolume).slice(-PEOPLE_MAX) : [])
  } catch {
    return new Map()
  }
}
