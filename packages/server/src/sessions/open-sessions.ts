import { readTail } from './chat.ts'
import { sweep } from './ending.ts'
import type { Lobby } from './lobby.ts'
import type { SessionDependencies, StoredSession } from './ports.ts'
import { restoreSession, type Session } from './session.ts'

interface Hooks {
  lobbyOf: (tag: string) => Lobby
  /** The session is over and no longer found here. */
  onEnded: (session: Session) => Promise<void>
}

/** The sessions that are open, at most one of each conference. Callers take care that each does one thing at a time. */
export class OpenSessions {
  readonly #deps: SessionDependencies
  readonly #hooks: Hooks
  readonly #byTag = new Map<string, Session>()
  readonly #byId = new Map<number, Session>()

  constructor(deps: SessionDependencies, hooks: Hooks) {
    this.#deps = deps
    this.#hooks = hooks
  }

  get all(): Session[] {
    return [...this.#byId.values()]
  }

  withTag = (tag: string): Session | undefined => this.#byTag.get(tag)

  withId = (sessionId: number): Session | undefined => this.#byId.get(sessionId)

  /** As withTag, but a session whose end was decided before is ended first, and is none. */
  async findOngoing(tag: string): Promise<Session | undefined> {
    const session = this.#byTag.get(tag)
    if (!session?.ending) return session
    await this.settle(session, () => sweep(this.#deps, session))
  }

  async open(tag: string): Promise<Session> {
    return this.restore(await this.#deps.sessions.findOrOpen(tag, this.#deps.clock()))
  }

  async restore(stored: StoredSession): Promise<Session> {
    const { chat, clock, media } = this.#deps
    const tail = await readTail(chat, stored.sessionId)
    const session = restoreSession(stored, tail, this.#hooks.lobbyOf(stored.tag), clock())
    this.#byTag.set(session.tag, session)
    this.#byId.set(session.id, session)
    media.openRoom(session.id)
    return session
  }

  /** Does work that may end the session, and forgets the session when it is over. */
  async settle<T>(session: Session, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      if (session.isOver) {
        if (this.#byTag.get(session.tag) === session) this.#byTag.delete(session.tag)
        if (this.#byId.delete(session.id)) {
          this.#deps.jobs.ended(session.id)
          await this.#hooks.onEnded(session)
        }
      }
    }
  }
}
