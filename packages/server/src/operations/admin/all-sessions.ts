import { type AdminParticipant, type AdminSession, ensure } from '@lectern/protocol'
import type { Page } from '../../platform/paging.ts'
import type { EndReason } from '../../sessions/ports.ts'
import type { LiveSessions } from './live-sessions.ts'
import type { ServerQueries } from './ports.ts'

type ShownSession = AdminSession & { participants: AdminParticipant[] }

interface AllSessionsOptions {
  local: LiveSessions
  servers: ServerQueries
  conferences: { end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> }
}

interface ListRequest extends Page {
  search?: string | undefined
}

const LIST = 'live_sessions'
const GET = 'live_session'

/** The open sessions of all servers, for administrators. */
export class AllSessions {
  readonly #parts: AllSessionsOptions

  constructor(parts: AllSessionsOptions) {
    const { local, servers } = parts
    this.#parts = parts
    servers.serve(LIST, ({ search, ...page }: ListRequest) => ({ sessions: local.list(search, page) }))
    servers.serve(GET, ({ id }: { id: number }) => ({ session: local.find(id) }))
  }

  /** The newest first: of a page of each server. Those of servers that do not answer are missing. */
  async list(search: string | undefined, page: Page): Promise<AdminSession[]> {
    const request: ListRequest = { ...page, search }
    const others = await this.#parts.servers.askOthers<{ sessions: AdminSession[] }>(LIST, request)
    return [
      ...this.#parts.local.list(search, page),
      ...others.flatMap(({ answer }) => answer?.sessions ?? []),
    ]
      .sort((a, b) => b.conference_session_id - a.conference_session_id)
      .slice(0, page.limit)
  }

  /** Throws `session_not_found`; `temporarily_unavailable` when a server did not answer. */
  async get(sessionId: number): Promise<ShownSession> {
    const { local, servers } = this.#parts
    const own = local.find(sessionId)
    if (own) return own
    const others = await servers.askOthers<{ session: ShownSession | null }>(GET, { id: sessionId })
    const session = others.map(({ answer }) => answer?.session).find(each => each)
    if (session) return session
    ensure(
      others.every(({ answer }) => answer !== null),
      'temporarily_unavailable',
    )
    ensure(false, 'session_not_found')
  }

  /** Ends it for everybody, as a moderator does, and returns its tag. Throws as get does. */
  async end(sessionId: number): Promise<string> {
    const { conference_tag: tag } = await this.get(sessionId)
    await this.#parts.conferences.end(tag, 'ended')
    return tag
  }
}
