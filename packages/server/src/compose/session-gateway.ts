import { setTimeout as sleep } from 'node:timers/promises'
import type { ConferenceSessions } from '../sessions/conference-sessions.ts'
import type { SessionLeases } from '../sessions/leases.ts'
import { previewSession, type SessionPreview } from '../sessions/participant-preview.ts'
import type { SessionRegistry } from '../sessions/session-registry.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'

/** What other parts do to sessions, on the server that runs them. */
export interface SessionGateway
  extends Pick<ConferenceSessions, 'end' | 'startTranscription' | 'stopTranscription'> {
  reevaluateLobby(tag: string): Promise<void>
  /** The accounts inside the conference. */
  listInside(tag: string): Promise<ReadonlySet<number>>
  /** Who is inside; null: nobody, or it is not known at once. */
  preview(tag: string): Promise<SessionPreview | null>
}

interface Parts {
  conferences: ConferenceSessions
  registry: SessionRegistry
  leases: SessionLeases
}

/** What concerns the lobbies of a conference, which may be on several servers while no session is open. */
type LobbyNotice =
  | { is: 'reevaluate'; tag: string }
  | { is: 'end'; tag: string; reason: Parameters<SessionGateway['end']>[1] }

const LOBBY_TOPIC = 'lobbies'

/** The page of a link does not wait longer for another server to say who is inside. */
const PREVIEW_WITHIN_MS = 500

/** Without a cluster, the sessions of this server; otherwise requests to the servers that run them. */
export async function composeSessionGateway(
  { lifetime }: Pick<ServerContext, 'lifetime'>,
  { network, identity, bus }: ClusterPart,
  { conferences, registry, leases }: Parts,
): Promise<SessionGateway> {
  const listAccountsInside = (tag: string) =>
    new Set([...(registry.getByTag(tag)?.participants.values() ?? [])].map(({ userId }) => userId))
  const preview = (tag: string) => {
    const session = registry.getByTag(tag)
    return session ? previewSession(session) : null
  }
  if (!network) {
    return {
      end: (tag, reason) => conferences.end(tag, reason),
      startTranscription: (tag, options) => conferences.startTranscription(tag, options),
      stopTranscription: tag => conferences.stopTranscription(tag),
      reevaluateLobby: tag => conferences.lobby.reevaluate(tag),
      listInside: async tag => listAccountsInside(tag),
      preview: async tag => preview(tag),
    }
  }
  const { OwnerRequests } = await import('../cluster/owner-requests.ts')
  const requests = new OwnerRequests({
    network,
    self: identity.id,
    isLocal: tag => registry.getByTag(tag) !== undefined,
    findOwner: async tag => {
      const owner = await leases.findOwner({ tag })
      return owner?.is === 'server' ? owner.id : null
    },
    actions: {
      end: async ({ tag, reason }) => {
        await conferences.end(tag, reason)
        return null
      },
      start_transcription: ({ tag, options }) => conferences.startTranscription(tag, options),
      list_inside: async ({ tag }) => [...listAccountsInside(tag)],
      preview: async ({ tag }) => preview(tag),
      stop_transcription: ({ tag }) => conferences.stopTranscription(tag),
    },
  })
  lifetime.own('requests to owners of sessions', requests, each => each.stop())

  const lobbies = bus<LobbyNotice>('lobbies')
  lobbies.subscribe(LOBBY_TOPIC, notice => {
    if (notice.is === 'reevaluate') void conferences.lobby.reevaluate(notice.tag)
    else void conferences.lobby.dismiss(notice.tag, notice.reason)
  })
  return {
    end: async (tag, reason) => {
      await requests.perform('end', { tag, reason })
      lobbies.publish(LOBBY_TOPIC, { is: 'end', tag, reason })
    },
    startTranscription: (tag, options) => requests.perform('start_transcription', { tag, options }),
    stopTranscription: tag => requests.perform('stop_transcription', { tag }),
    listInside: async tag => new Set(await requests.perform('list_inside', { tag })),
    preview: tag => {
      const answer = requests.perform('preview', { tag }).catch(() => null)
      return Promise.race([answer, sleep(PREVIEW_WITHIN_MS, null, { ref: false })])
    },
    reevaluateLobby: async tag => lobbies.publish(LOBBY_TOPIC, { is: 'reevaluate', tag }),
  }
}
