import type { HeldJob } from '@lectern/worker-kit'

/** Who a participant is, as the others saw them. */
export interface Speaker {
  participantId: string
  userId: string
  name: string
}

/** Remembers who was there: a last phrase is whole when its speaker is gone already. */
export class Speakers {
  readonly #known = new Map<string, Speaker>()
  readonly #session: HeldJob['session']

  constructor(session: HeldJob['session']) {
    this.#session = session
  }

  /** Remembers them as they are now. */
  find(participantId: string): Speaker {
    const participant = this.#session()?.participants.find(each => each.participant_id === participantId)
    if (participant) {
      const { user_id: userId, display_name: name } = participant
      this.#known.set(participantId, { participantId, userId, name })
    }
    return this.#known.get(participantId) ?? { participantId, userId: '0', name: '' }
  }
}
