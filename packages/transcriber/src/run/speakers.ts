import type { HeldJob } from '@lectern/worker-kit'

/** A participant’s identity at the time of speaking. */
export interface Speaker {
  participantId: string
  userId: string
  name: string
}

/** Caches identities, because a last phrase may be final after its speaker has left. */
export class Speakers {
  readonly #known = new Map<string, Speaker>()
  readonly #session: HeldJob['session']

  constructor(session: HeldJob['session']) {
    this.#session = session
  }

  /** Looks the participant up and refreshes the cache. */
  find(participantId: string): Speaker {
    const participant = this.#session()?.participants.find(each => each.participant_id === participantId)
    if (participant) {
      const { user_id: userId, display_name: name } = participant
      this.#known.set(participantId, { participantId, userId, name })
    }
    return this.#known.get(participantId) ?? { participantId, userId: '0', name: '' }
  }
}
