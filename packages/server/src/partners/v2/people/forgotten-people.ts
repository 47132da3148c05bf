import type { ParticipantStore } from '../../stores/participants.ts'
import type { RoomStore } from '../../stores/rooms.ts'
import type { PeopleStore } from '../../stores/v2/people.ts'

interface ForgottenPeopleParts {
  rooms: Pick<RoomStore, 'isInRoom'>
  people: Pick<PeopleStore, 'isElsewhere'>
  participants: Pick<ParticipantStore, 'find'>
  /** Replaces the name of an account. */
  forgetPerson(userId: number): Promise<void>
}

/** Takes their names from people who are in no room of a partner any more (rule DELETE-1). */
export class ForgottenPeople {
  readonly #parts: ForgottenPeopleParts

  constructor(parts: ForgottenPeopleParts) {
    this.#parts = parts
  }

  /** People who are in another room than that keep their names. */
  async unlessElsewhere(clientId: number, externalId: string, tag: string): Promise<void> {
    const { rooms, people, participants, forgetPerson } = this.#parts
    const isElsewhere =
      (await rooms.isInRoom(clientId, externalId)) || (await people.isElsewhere(clientId, externalId, tag))
    const userId = isElsewhere ? null : await participants.find(clientId, externalId)
    if (userId !== null) await forgetPerson(userId)
  }
}
