import type { WaitReason } from '@lectern/protocol/control'
import type { Admissions } from './admissions.ts'
import { assertConditions, type Conditions } from './command.ts'
import type { ConnectedUser, EndReason, SessionDependencies } from './ports.ts'
import type { SessionExecutor } from './session-executor.ts'

/** The lobbies of the conferences on this server, as connections and changes of conferences use them. */
export class LobbyService {
  readonly #deps: SessionDependencies
  readonly #executor: SessionExecutor
  readonly #admissions: Admissions

  constructor(deps: SessionDependencies, executor: SessionExecutor, admissions: Admissions) {
    this.#deps = deps
    this.#executor = executor
    this.#admissions = admissions
  }

  /** Why the account waits from now on; null when it can join without waiting. Throws as a join does. */
  enter(tag: string, person: ConnectedUser, conditions: Conditions = {}): Promise<WaitReason | null> {
    return this.#executor.run(tag, async () => {
      const session = await this.#executor.findOngoing(tag)
      const entry = await this.#admissions.evaluate(tag, session, person)
      assertConditions(this.#deps, session?.version ?? 0, conditions)
      return this.#admissions.wait(entry)
    })
  }

  leave(tag: string, connectionId: string): Promise<void> {
    return this.#executor.run(tag, () => this.#admissions.leave(tag, connectionId))
  }

  /** MUST be called when the connection has ended. */
  async leaveAll(connectionId: string): Promise<void> {
    const tags = this.#admissions.tagsOf(connectionId)
    await Promise.all(tags.map(tag => this.leave(tag, connectionId)))
  }

  /** Ends every wait for the conference on this server. */
  dismiss(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> {
    return this.#executor.run(tag, () => this.#admissions.dismiss(tag, reason))
  }

  /** MUST be called when the entry of the conference has changed: admits those who need not wait any more. */
  reevaluate(tag: string): Promise<void> {
    return this.#executor.run(tag, () => this.#admissions.reevaluate(tag))
  }
}
