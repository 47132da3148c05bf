import { assertConditions, type Conditions } from './command.ts'
import type { ParticipantRef } from './membership.ts'
import { unlessLost } from './refusals.ts'
import type { Participant, Session } from './session.ts'
import type { SessionExecutor } from './session-executor.ts'
import type { RuntimeDependencies } from './session-ownership.ts'

type ParticipantChange = (session: Session, self: Participant) => unknown

/**
 * Changes of participants. Those that arrive while it is uncertain whether this server still holds the lease of their
 * session are postponed until it is certain: people whose connection was lost, or who left, would stay inside otherwise.
 * The last change of each participant counts.
 */
export class ParticipantChanges {
  readonly #deps: RuntimeDependencies
  readonly #executor: SessionExecutor
  /** By participant. */
  readonly #postponed = new Map<string, { ref: ParticipantRef; change: ParticipantChange }>()

  constructor(deps: RuntimeDependencies, executor: SessionExecutor) {
    this.#deps = deps
    this.#executor = executor
  }

  /**
   * False when the participant is not inside. The conditions do not count for a change that is postponed: its connection
   * does not exist any more.
   */
  async make(ref: ParticipantRef, change: ParticipantChange, conditions: Conditions = {}): Promise<boolean> {
    const session = this.#deps.registry.get(ref.sessionId)
    if (!session) return this.#postponeIfUnsure(ref, change)
    this.supersede(ref.participantId)
    return this.#executor.change(session, async () => {
      const self = session.participants.get(ref.participantId)
      if (!self) return false
      assertConditions(this.#deps, session.version, conditions)
      await change(session, self)
      return true
    })
  }

  /** Drops the postponed change of a participant. MUST be called for every later change that is made without `make`. */
  supersede(participantId: string): void {
    this.#postponed.delete(participantId)
  }

  /** Makes the postponed changes of the sessions that are not uncertain any more. */
  async makePostponed(): Promise<void> {
    const due = [...this.#postponed.values()].filter(
      ({ ref }) => !this.#deps.registry.getUnsure(ref.sessionId),
    )
    for (const { ref } of due) this.supersede(ref.participantId)
    await Promise.all(due.map(({ ref, change }) => this.make(ref, change).catch(unlessLost)))
  }

  #postponeIfUnsure(ref: ParticipantRef, change: ParticipantChange): boolean {
    const session = this.#deps.registry.getUnsure(ref.sessionId)
    const isInside = session?.participants.has(ref.participantId) ?? false
    if (isInside) this.#postponed.set(ref.participantId, { ref, change })
    return isInside
  }
}
