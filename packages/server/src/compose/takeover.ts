import { setTimeout as sleep } from 'node:timers/promises'
import { presentRoom } from '../control/media-mapping.ts'
import type { MediaServer } from '../media/ports.ts'
import { noTakeover } from '../sessions/no-takeover.ts'
import type { SessionDependencies } from '../sessions/ports.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

const SWEEP_MS = 3_600_000
/** Media nodes report themselves twice a second: a server that has just started waits until it knows all. */
const NODES_KNOWN_AFTER_MS = 1_000

/** What a server needs to continue the sessions of another one. Only media on media nodes continues meanwhile. */
export function composeTakeover(
  { config, scheduler, log }: Pick<ServerContext, 'config' | 'scheduler' | 'log'>,
  { participants }: Pick<Stores, 'participants'>,
  { network }: Pick<ClusterPart, 'network'>,
  media: Pick<MediaServer, 'adoptRoom'>,
): Pick<SessionDependencies, 'participants' | 'takeOverMedia'> {
  if (!network || !config.Cluster.MediaNodes) return noTakeover
  scheduler.add({
    everyMs: SWEEP_MS,
    run: () => participants.sweep(),
    onFailure: 'participants of sessions that have ended could not be deleted',
  })
  const startedAtMs = performance.now()
  return {
    participants,
    takeOverMedia: async room => {
      await sleep(Math.max(0, startedAtMs + NODES_KNOWN_AFTER_MS - performance.now()))
      const description = await media.adoptRoom(room)
      if (!description) return null
      const { members, publications } = description
      const size = { members: members.length, publications: publications.length }
      log.info({ conference_session_id: room.sessionId, ...size }, 'a session continues here with its media')
      return presentRoom(description)
    },
  }
}
