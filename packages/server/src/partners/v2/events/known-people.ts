import { batched } from '@lectern/common'
import type { EventPerson } from '@lectern/protocol'
import type { Person } from '../../ports.ts'
import type { ParticipantStore } from '../../stores/participants.ts'
import type { PeopleStore } from '../../stores/v2/people.ts'

/** Somebody in a room, as sessions know them. */
export interface Attendee {
  userId: number
  displayName: string
  /** moderator or participant */
  role: string
}

export type DescribePerson = (attendee: Attendee, participantId: string | null) => EventPerson

/** Events that are published together look their people up together. Each lookup may be one of a whole class. */
const TOGETHER = { schedule: setImmediate, maxItems: 20 }

/** Names accounts by the partner's own ids of people (rule PERSON-1), with their roles and metadata. */
export class KnownPeople {
  readonly #externalIds: (lookup: { clientId: number; userIds: number[] }) => Promise<Map<number, string>>
  readonly #named: (lookup: { tag: string; externalIds: string[] }) => Promise<Person[]>

  constructor({ participants, people }: { participants: ParticipantStore; people: PeopleStore }) {
    this.#externalIds = batched(lookups => participants.externalIds(lookups), TOGETHER)
    this.#named = batched(lookups => people.named(lookups), TOGETHER)
  }

  /** The external ids of accounts. Guests have none. */
  externalIds(clientId: number, userIds: number[]): Promise<Map<number, string>> {
    return this.#externalIds({ clientId, userIds })
  }

  /** Describes people of one room. */
  async of({ clientId, tag }: { clientId: number; tag: string }, userIds: number[]): Promise<DescribePerson> {
    const externalIds = await this.externalIds(clientId, userIds)
    const people = await this.#named({ tag, externalIds: [...externalIds.values()] })
    const known = new Map<string, Person>(people.map(person => [person.externalId, person]))
    return ({ userId, displayName, role }, participantId) => {
      const externalId = externalIds.get(userId) ?? null
      const person = externalId === null ? undefined : known.get(externalId)
      return {
        participant_id: participantId,
        external_id: externalId,
        display_name: displayName,
        role: person?.role ?? (role === 'moderator' ? 'teacher' : 'student'),
        metadata: person?.metadata ?? {},
      }
    }
  }
}
