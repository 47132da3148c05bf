import type { Role } from '@lectern/protocol'
import type { Room, RoomSessions } from './ports.ts'
import type { ParticipantStore } from './stores/participants.ts'

interface MembershipsParts {
  participants: Pick<ParticipantStore, 'find'>
  conferences: Pick<RoomSessions, 'endMembership' | 'endSharedMemberships'>
}

/** Memberships of sessions that rest on personal links. */
export class Memberships {
  readonly #parts: MembershipsParts

  constructor(parts: MembershipsParts) {
    this.#parts = parts
  }

  /**
   * MUST be called when a personal link was withdrawn: whoever came by it, and has left, would enter by the plain link
   * otherwise. Open connections are ended by their login check. Throws `temporarily_unavailable`.
   */
  async end({ clientId, tag }: Pick<Room, 'clientId' | 'tag'>, externalId: string): Promise<void> {
    const { participants, conferences } = this.#parts
    const userId = await participants.find(clientId, externalId)
    if (userId !== null) await conferences.endMembership(tag, userId)
  }

  /** The same for a link of a role that names nobody. */
  endShared({ tag }: Pick<Room, 'tag'>, role: Role): Promise<void> {
    const { conferences } = this.#parts
    return conferences.endSharedMemberships(tag, role === 'teacher' ? 'moderator' : 'participant')
  }
}
