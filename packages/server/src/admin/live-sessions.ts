import { type AdminParticipant, type AdminSession, ensure } from '@lectern/protocol'
import type { EndReason } from '../sessions/ports.ts'
import type { Session } from '../sessions/session.ts'
import type { Page } from './ports.ts'

interface Parts {
  registry: { readonly all: Session[]; get(sessionId: number): Session | undefined }
  conferences: { end(tag: string, reason: Exclude<EndReason, 'empty'>): Promise<void> }
  media: {
    qualityOf(sessionId: number): Map<string, number | null>
    nodesOf(sessionId: number): string[]
  }
}

const PARTICIPANTS_MAX = 1000

/** The open sessions, for administrators. */
export class LiveSessions {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** The newest first. */
  async list(search: string | undefined, { before = Number.POSITIVE_INFINITY, limit }: Page) {
    const wanted = search?.toLowerCase()
    return this.#parts.registry.all
      .filter(({ id }) => id < before)
      .filter(session => wanted === undefined || matches(session, wanted))
      .sort((a, b) => b.id - a.id)
      .slice(0, limit)
      .map(session => this.#present(session))
  }

  /** Throws `session_not_found`. */
  get(sessionId: number): AdminSession & { participants: AdminParticipant[] } {
    const session = this.#find(sessionId)
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

  /** Ends it for everybody, as a moderator does, and returns its tag. Throws `session_not_found`. */
  async end(sessionId: number): Promise<string> {
    const { tag } = this.#find(sessionId)
    await this.#parts.conferences.end(tag, 'ended')
    return tag
  }

  #present(session: Session): AdminSession {
    const nodeIds = this.#parts.media.nodesOf(session.id)
    return {
      conference_session_id: session.id,
      conference_tag: session.tag,
      title: session.conference?.title ?? session.tag,
      kind: session.conference?.kind ?? null,
      started_at_ms: session.startedAtMs,
      participant_count: session.participants.size,
      waiting_count: session.lobby.waiters.size,
      recording: session.isRecorded,
      transcription: session.isTranscribed,
      locked: session.locked,
      rtc_node_id: nodeIds[0] ?? null,
      rtc_node_ids: nodeIds,
    }
  }

  #find(sessionId: number): Session {
    const session = this.#parts.registry.get(sessionId)
    ensure(session, 'session_not_found')
    return session
  }
}

const matches = ({ tag, conference }: Session, wanted: string) =>
  `${tag}\n${conference?.title ?? ''}`.toLowerCase().includes(wanted)
