import { presentRoom } from '../control/media-mapping.ts'
import type { MediaServer } from '../media/ports.ts'
import { noTakeover } from '../sessions/no-takeover.ts'
import type { SessionDependencies } from '../sessions/ports.ts'
import type { ClusterPart } from './cluster.ts'
import type { ServerContext } from './context.ts'
import type { Stores } from './stores.ts'

const SWEEP_MS = 3_600_000

/** What a server needs to go on with the sessions of another one. Only media on media nodes goes on meanwhile. */
export function composeTakeover(
  { config, scheduler }: Pick<ServerContext, 'config' | 'scheduler'>,
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
  return {
    participants,
    takeOverMedia: async room => {
      const description = await media.adoptRoom(room)
      return description && presentRoom(description)
    },
  }
}
