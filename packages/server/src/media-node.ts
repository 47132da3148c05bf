import { versionOf } from '@lectern/common/version'
import type { Logger } from 'pino'
import { Keys } from './accounts/keys.ts'
import { HostedRooms } from './cluster/media/hosted-rooms.ts'
import { MediaNode } from './cluster/media/media-node.ts'
import { NodeEvents } from './cluster/media/node-events.ts'
import { pipeMessages } from './cluster/media/pipe-messages.ts'
import { serveDrain } from './cluster/members/drain.ts'
import { createIdentity } from './cluster/members/identity.ts'
import { ClusterMembers } from './cluster/members/members.ts'
import { MessageSignatures } from './cluster/network/message-signatures.ts'
import { ClusterNetwork } from './cluster/network/network.ts'
import { mediaSettings, roomSettings } from './compose/media.ts'
import { serveNodeState } from './compose/node-state.ts'
import { composeTracing } from './compose/tracing.ts'
import type { NodeConnections } from './media/pipes/ports.ts'
import { Sfu } from './media/sfu.ts'
import { mediaPipeAddress } from './platform/address.ts'
import type { Config } from './platform/config/index.ts'
import { acceptedSecrets } from './platform/config/jwt-secrets.ts'
import { Lifetime } from './platform/lifetime.ts'
import { createLog } from './platform/log.ts'
import { logUnhandledRejections } from './platform/unhandled-rejections.ts'

export interface RunningMediaNode {
  /** The address of its state and metrics, e.g. `http://127.0.0.1:8090`. */
  url: string
  /** Closes the node, after its sessions have moved to other nodes. Safe to call twice. */
  close(): Promise<void>
}

/** A start waits this long for NATS, and continues without it. */
const CONNECT_WAIT_MS = 3_000
/** Below the time in which a program has to stop. */
const DRAIN_TIMEOUT_MS = 12_000

const version = versionOf(import.meta.url)

/** Starts a media node: media workers for the sessions of the servers of a cluster. */
export async function startMediaNode(
  config: Config,
  log: Logger = createLog(config.Server.LogLevel),
): Promise<RunningMediaNode> {
  const lifetime = new Lifetime(log)
  lifetime.own('unhandled rejections', logUnhandledRejections(log), stop => stop())
  try {
    return await start(config, log, lifetime)
  } catch (error) {
    await lifetime.close()
    throw error
  }
}

async function start(config: Config, log: Logger, lifetime: Lifetime): Promise<RunningMediaNode> {
  const { Nats, NatsCa, Namespace, Name, Region } = config.Cluster
  const self = createIdentity({ name: Name, advertise: '', region: Region, version })
  const { tracing } = await composeTracing('media-node', { config, version, log }, lifetime)
  const nats = { addresses: Nats, ca: NatsCa, namespace: Namespace, name: `lectern media ${Name}` }
  const keys = new Keys(config.Server.JwtSecret, acceptedSecrets(config.Server))
  const signatures = new MessageSignatures(keys)
  const network = lifetime.own(
    'cluster network',
    new ClusterNetwork({ ...nats, self: self.id, signatures, log, tracing }),
    each => each.stop(),
  )
  const rooms = new HostedRooms()
  const events = new NodeEvents(network, sessionId => rooms.ownerOf(sessionId))
  const nodes: NodeConnections = {
    nodeId: self.id,
    messages: pipeMessages(network),
    onTrack: (...track) => events.track(...track),
  }
  const parts = { events: events.handlers, log, nodes, ...roomSettings(config) }
  const media = await Sfu.start({ ...mediaSettings(config), pipeIp: () => mediaPipeAddress(config) }, parts)
  lifetime.own('media workers', media, each => each.stop())

  let node: MediaNode | null = null
  const status = () => node?.status ?? { load: {}, draining: true, isStoreReachable: false }
  const members = new ClusterMembers({ network, self, role: 'media-node', status })
  lifetime.own('cluster members', members, each => each.stop())
  const graceMs = config.Conferences.EmptyGraceSeconds * 1000
  const owned = { nodeId: self.id, network, members, media, rooms, events, log, graceMs }
  node = new MediaNode({ ...owned, ...roomSettings(config) })
  lifetime.own('media node', node, each => each.stop())
  await node.measure()
  const url = await serveNodeState({ config, log, lifetime, node, media, network })
  lifetime.own('sessions', node, each => each.drain(DRAIN_TIMEOUT_MS))
  const actions = { drain: () => void node?.drain(DRAIN_TIMEOUT_MS), undrain: () => node?.undrain() }
  lifetime.own('requests to drain', serveDrain(network, self.id, actions), stop => stop())
  log.info({ node: self.id, region: Region, workers: media.expectedWorkers }, 'media node is ready')
  await network.start(CONNECT_WAIT_MS)
  return { url, close: lifetime.close }
}
