import { containsText } from '@lectern/common'
import type { AdminParticipant, AdminSession } from '@lectern/protocol'
import type { Page } from '../../platform/paging.ts'
import type { Session } from '../../sessions/session.ts'

interface LiveSessionsOptions {
  registry: { readonly all: Iterable<Session>; get(sessionId: number): Session | undefined }
  /** The name of this server; null if it is the only one. */
  server: string | null
  media: {
    qualityOf(sessionId: number): Map<string, number | null>
    workersOf(sessionId: number): string[]
    mediaNodesOf(sessionId: number): string[]
  }
}

const PARTICIPANTS_MAX = 1000

/** The open sessions of this server, for administrators. */
export class LiveSessions {
  readonly #parts: LiveSessionsOptions

  constructor(parts: LiveSessionsOptions) {
    this.#parts = parts
  }

  /** The newest first. Reads all sessions of this server, and keeps no more of them than a page. */
  list(search: string | undefined, { before = Number.POSITIVE_INFINITY, limit }: Page): AdminSession[] {
    const page: Session[] = []
    for (const session of this.#parts.registry.all) {
      if (session.id < before && (search === undefined || matches(session, search)))
        addToPage(page, session, limit)
    }
    return page.map(session => this.#present(session))
  }

  find(sessionId: number): (AdminSession & { participants: AdminParticipant[] }) | null {
    const session = this.#parts.registry.get(sessionId)
    if (!session) return null
    const qualities = this.#parts.media.qualityOf(sessionId)
    const publications = [...session.publications.values()]
    const participants = [...session.participants.values()].slice(0, PARTICIPANTS_MAX).map(each => ({
      participant_id: each.id,
      user_id: each.userId,
      display_name: each.displayName,
      role: each.role,
      presence: each.presence.is,
      joined_at_ms: each.joinedAtMs,
      quality: qualities.get(each.id) ?? null,
      publications: publications
        .filter(({ participant_id }) => participant_id === each.id)
        .map(({ source, paused }) => ({ source, paused })),
    }))
    return { ...this.#present(session), participants }
  }

  #present(session: Session): AdminSession {
    const workerIds = this.#parts.media.workersOf(session.id)
    return {
      conference_session_id: session.id,
      conference_tag: session.tag,
      server: this.#parts.server,
      title: session.conference?.title ?? session.tag,
      kind: session.conference?.kind ?? null,
      started_at_ms: session.startedAtMs,
      participant_count: session.participants.size,
      waiting_count: session.lobby.waiters.size,
      recording: session.isRecorded,
      transcription: session.isTranscribed,
      locked: session.locked,
      rtc_node_id: workerIds[0] ?? null,
      rtc_node_ids: workerIds,
      media_nodes: this.#parts.media.mediaNodesOf(session.id),
    }
  }
}

/** Keeps the page in its order and within its limit. Sessions mostly come in the order of their ids. */
function addToPage(page: Session[], session: Session, limit: number): void {
  if (page.length === limit && session.id < (page.at(-1)?.id ?? 0)) return
  const position = page.findIndex(({ id }) => id < session.id)
  page.splice(position < 0 ? page.length : position, 0, session)
  if (page.length > limit) page.pop()
}

const matches = ({ tag, conference }: Session, search: string) =>
  containsText([tag, conference?.title ?? ''], search)
