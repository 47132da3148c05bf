import type { AdminHealthResponse, ServerHealth } from '@lectern/protocol'
import type { JobKind } from '@lectern/protocol/control'
import type { UserStore } from '../../accounts/stores/users.ts'
import type { MediaServer } from '../../media/ports.ts'
import type { Clock } from '../../platform/clock.ts'
import { isRecent } from '../../records/jobs/worker-registry.ts'

interface OwnParts {
  startedAtMs: number
  isReady: () => Promise<boolean>
  conferences: { readonly size: { sessions: number; participants: number; waiting: number } }
  connections: () => number
}

interface HealthOptions extends OwnParts {
  version: string
  clock: Clock
  users: Pick<UserStore, 'find'>
  members: () => Promise<AdminHealthResponse['members']>
  jobs: {
    countUnfinished(): Promise<{ queued: number; leased: number }>
    readonly workers: { kind: JobKind; userId: number; activeAtMs: number }[]
  }
  media: Pick<MediaServer, 'expectedWorkers' | 'readWorkers'>
  /** Null without the partner module. */
  pendingDeliveries: () => Promise<number | null>
}

/** The state of this server at the moment. */
export const readServerHealth = async (parts: OwnParts): Promise<ServerHealth> => ({
  started_at_ms: parts.startedAtMs,
  ready: await parts.isReady().catch(() => false),
  ...parts.conferences.size,
  connections: parts.connections(),
})

/** The state of this server, of its workers, and of the other members of the cluster at the moment. */
export async function readHealth(parts: HealthOptions): Promise<AdminHealthResponse> {
  const { clock, users, jobs, media } = parts
  const pending = await parts.pendingDeliveries()
  const workers = await Promise.all(
    jobs.workers.map(async ({ kind, userId, activeAtMs }) => ({
      kind,
      login: (await users.find(userId))?.login ?? String(userId),
      last_seen_ms: activeAtMs,
      alive: isRecent(activeAtMs, clock()),
    })),
  )
  const mediaWorkers = (await media.readWorkers()).map(({ id, node, pid, load, descriptors }) => ({
    rtc_node_id: id,
    node: node ?? null,
    pid,
    load,
    open_descriptors: descriptors?.open ?? null,
    descriptor_limit: descriptors?.limit ?? null,
  }))
  return {
    result: 200,
    version: parts.version,
    node_version: process.version,
    members: await parts.members(),
    ...(await readServerHealth(parts)),
    partner_module: pending !== null,
    jobs: await jobs.countUnfinished(),
    webhooks_pending: pending,
    media_workers: mediaWorkers,
    media_workers_expected: media.expectedWorkers,
    workers,
  }
}
