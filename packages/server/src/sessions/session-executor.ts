import { KeyedMutex } from '@lectern/common'
import { sweep } from './ending.ts'
import { isEnding } from './lifecycle.ts'
import type { SessionDependencies } from './ports.ts'
import type { Session } from './session.ts'
import type { SessionOwnership } from './session-ownership.ts'

/** Runs all work on one conference in sequence: the only owner of the mutex. */
export class SessionExecutor {
  readonly #mutex = new KeyedMutex()
  readonly #deps: SessionDependencies
  readonly #ownership: SessionOwnership

  constructor(deps: SessionDependencies, ownership: SessionOwnership) {
    this.#deps = deps
    this.#ownership = ownership
  }

  /** Runs work on a conference, which need not have a session. */
  run<T>(tag: string, work: () => T | Promise<T>): Promise<T> {
    return this.#mutex.run(tag, work)
  }

  /** Runs work on a session, which may end it. */
  change<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    return this.#mutex.run(session.tag, () => this.#ownership.settle(session, work))
  }

  /** Runs work on the session of the conference. False when there is none. Throws `elsewhere`. */
  ifOngoing(tag: string, work: (session: Session) => Promise<void>): Promise<boolean> {
    return this.#mutex.run(tag, async () => {
      const session = await this.findOngoing(tag)
      if (session) await work(session)
      return session !== undefined
    })
  }

  /**
   * The session of the conference; one whose end was decided before is ended first. MUST be called within `run`. Throws
   * `elsewhere`.
   */
  async findOngoing(tag: string): Promise<Session | undefined> {
    const session = await this.#ownership.find(tag)
    if (!session || !isEnding(session.lifecycle)) return session
    await this.#ownership.settle(session, () => sweep(this.#deps, session))
  }
}
