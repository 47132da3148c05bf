import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterNetwork } from '../../cluster/network/network.ts'
import { OwnerRequests } from '../../cluster/requests/owner-requests.ts'
import type { EventBus } from '../../control/streams/event-bus.ts'
import { previewSession } from '../../sessions/participants/participant-preview.ts'
import type { ServerContext } from '../context.ts'
import type { GatewayParts, SessionGateway } from './cluster.ts'

/** Notices about the lobbies of a conference, which may be on several servers while no session is open. */
export type LobbyNotice =
  | { is: 'reevaluate'; tag: string }
  | { is: 'end'; tag: string; reason: Parameters<SessionGateway['end']>[1] }

interface SessionRequestsParts extends GatewayParts {
  network: ClusterNetwork
  self: string
  lobbies: EventBus<LobbyNotice>
}

const LOBBY_TOPIC = 'lobbies'

/** The page of a link does not wait longer for another server to say who is inside. */
const PREVIEW_WITHIN_MS = 500

/** Requests to the servers that run the sessions. */
export function createSessionRequests(
  { lifetime }: Pick<ServerContext, 'lifetime'>,
  { network, self, lobbies, conferences, registry, leases }: SessionRequestsParts,
): SessionGateway {
  const requests = new OwnerRequests({
    network,
    self,
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
      list_inside: async ({ tag }) => [...(await conferences.listInside(tag))],
      find_inside: ({ tag, userId }) => conferences.findInside(tag, userId),
      preview: async ({ tag }) => previewSession(registry.getByTag(tag)),
      perform_for_platform: ({ tag, action }) => conferences.performForPlatform(tag, action),
      stop_transcription: ({ tag }) => conferences.stopTranscription(tag),
    },
  })
  lifetime.own('requests to owners of sessions', requests, each => each.stop())

  lobbies.subscribe(LOBBY_TOPIC, notice => {
    if (notice.is === 'reevaluate') void conferences.reevaluateLobby(notice.tag)
    else void conferences.dismissWaiters(notice.tag, notice.reason)
  })
  return {
    end: async (tag, reason) => {
      await requests.perform('end', { tag, reason })
      lobbies.publish(LOBBY_TOPIC, { is: 'end', tag, reason })
    },
    startTranscription: (tag, options) => requests.perform('start_transcription', { tag, options }),
    stopTranscription: tag => requests.perform('stop_transcription', { tag }),
    performForPlatform: (tag, action) => requests.perform('perform_for_platform', { tag, action }),
    listInside: async tag => new Set(await requests.perform('list_inside', { tag })),
    findInside: (tag, userId) => requests.perform('find_inside', { tag, userId }),
    preview: tag => {
      const answer = requests.perform('preview', { tag }).catch(() => null)
      return Promise.race([answer, sleep(PREVIEW_WITHIN_MS, null, { ref: false })])
    },
    reevaluateLobby: async tag => lobbies.publish(LOBBY_TOPIC, { is: 'reevaluate', tag }),
  }
}
