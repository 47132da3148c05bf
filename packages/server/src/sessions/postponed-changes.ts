import type { ParticipantRef } from './membership.ts'
import type { Participant, Session } from './session.ts'

export type ParticipantChange = (session: Session, self: Participant) => unknown

/**
 * What happened to connections while it was not sure whether this server still runs their session. It is done when that
 * is sure again; otherwise people whose socket was lost, or who left, would stay inside for ever. The last change of a
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

  /** Removes and gives those whose session this server knows about again. */
  take(isUnsure: (sessionId: number) => boolean): { ref: ParticipantRef; change: ParticipantChange }[] {
    const due = [...this.#changes.values()].filter(({ ref }) => !isUnsure(ref.sessionId))
    for (const { ref } of due) this.#changes.delete(ref.participantId)
    return due
  }
}
