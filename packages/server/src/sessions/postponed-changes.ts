import type { ParticipantRef } from './membership.ts'
import type { Participant, Session } from './session.ts'

export type ParticipantChange = (session: Session, self: Participant) => unknown

/**
 * Changes of participants while it was uncertain whether this server still holds the lease of their session. They are made
 * once it is certain: people whose connection was lost, or who left, would stay inside otherwise. The last change of each
 * participant counts.
 */
export class PostponedChanges {
  /** By participant. */
  readonly #changes = new Map<string, { ref: ParticipantRef; change: ParticipantChange }>()

  add(ref: ParticipantRef, change: ParticipantChange): void {
    this.#changes.set(ref.participantId, { ref, change })
  }

  /** MUST be called for every later change that is made at once. */
  supersede(participantId: string): void {
    this.#changes.delete(participantId)
  }

  /** Removes and returns those whose session is not uncertain any more. */
  take(isUnsure: (sessionId: number) => boolean): { ref: ParticipantRef; change: ParticipantChange }[] {
    const due = [...this.#changes.values()].filter(({ ref }) => !isUnsure(ref.sessionId))
    for (const { ref } of due) this.#changes.delete(ref.participantId)
    return due
  }
}
