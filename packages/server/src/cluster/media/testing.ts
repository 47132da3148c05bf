import type { NodeConnections } from '../../media/pipes/ports.ts'
import { Sfu, type SfuParts } from '../../media/sfu.ts'
import type { MediaUnderTest } from '../../media/testing/harness.ts'
import type { PoolSettings } from '../../media/worker-pool.ts'
import { createIdentity, type ServerIdentity } from '../members/identity.ts'
import { ClusterMembers, type MemberStatus } from '../members/members.ts'
import type { ClusterNetwork } from '../network/network.ts'
import { addressOf, type openNetworks, waitFor } from '../testing.ts'
import { HostedRooms } from './hosted-rooms.ts'
import { MediaNode } from './media-node.ts'
import { NodeEvents } from './node-events.ts'
import { pipeMessages } from './pipe-messages.ts'
import { nodeSubject } from './protocol.ts'
import { RemoteMedia } from './remote-media.ts'

type Networks = ReturnType<typeof openNetworks>

const identityOf = (name: string, region = ''): ServerIdentity =>
  createIdentity({ name, advertise: '', region, version: '1.0.0' })

export interface TestNode {
  self: ServerIdentity
  sfu: Sfu
  node: MediaNode
  rooms: HostedRooms
  members: ClusterMembers
  network: ClusterNetwork
  stop(): Promise<void>
}

export interface NodeOptions {
  name?: string
  region?: string
  graceMs?: number
  /** The address of NATS, if it is another one for this node. */
  nats?: string
}

const LOOPBACK: PoolSettings = { listenIp: '127.0.0.1', announcedAddress: '', port: 0, workers: 1 }

/** A media node with real workers, in this process. */
export async function startNode(
  networks: Networks,
  {
    log,
    republishTimeoutMs,
    consumersPerWorker = 500,
  }: Pick<SfuParts, 'log' | 'republishTimeoutMs' | 'consumersPerWorker'>,
  { name = 'node', region = '', graceMs = 30_000, nats }: NodeOptions = {},
  settings: Partial<PoolSettings> = {},
): Promise<TestNode> {
  const self = identityOf(name, region)
  const network = await networks.open(self.id, nats === undefined ? {} : { addresses: [addressOf(nats)] })
  const rooms = new HostedRooms()
  const events = new NodeEvents(network, sessionId => rooms.ownerOf(sessionId))
  const nodes: NodeConnections = {
    nodeId: self.id,
    messages: pipeMessages(network),
    onTrack: (...track) => events.track(...track),
  }
  const parts = { events: events.handlers, log, nodes, ...(republishTimeoutMs && { republishTimeoutMs }) }
  const sfu = await Sfu.start({ ...LOOPBACK, ...settings }, { ...parts, consumersPerWorker })
  let status = (): MemberStatus => ({ load: {}, draining: true, isStoreReachable: false })
  const members = new ClusterMembers({ network, self, role: 'media-node', status: () => status() })
  const owned = { nodeId: self.id, network, members, media: sfu, rooms, events, log, graceMs }
  const node = new MediaNode({ ...owned, consumersPerWorker })
  status = () => node.status
  await node.measure()
  const stop = async () => {
    members.stop()
    node.stop()
    await sfu.stop()
    await network.stop()
  }
  return { self, sfu, node, rooms, members, network, stop }
}

export interface TestOwner {
  self: ServerIdentity
  network: ClusterNetwork
  members: ClusterMembers
  media: RemoteMedia
  stop(): Promise<void>
}

/** A server whose media is on media nodes. Resolves when it knows as many of them. */
export async function startOwner(
  networks: Networks,
  { events, log }: Pick<SfuParts, 'events' | 'log'>,
  { name = 'server', region = '', nodes = 1 } = {},
): Promise<TestOwner> {
  const self = identityOf(name, region)
  const network = await networks.open(self.id)
  const status = () => ({ load: {}, draining: false, isStoreReachable: true })
  const members = new ClusterMembers({ network, self, role: 'server', status })
  const media = new RemoteMedia({ network, members, self, events, log })
  await waitFor(() => members.list('media-node').filter(({ load }) => load.workers).length >= nodes, 'nodes')
  const stop = async () => {
    await media.stop()
    members.stop()
    await network.stop()
  }
  return { self, network, members, media, stop }
}

/** A media server that consists of one node, with the settings of a local one. */
export const openOnNode =
  (networks: Networks) =>
  async (settings: PoolSettings, parts: SfuParts): Promise<MediaUnderTest> => {
    const node = await startNode(networks, parts, {}, settings)
    const owner = await startOwner(networks, parts)
    return {
      media: owner.media,
      sfu: node.sfu,
      settled: async () => {
        await owner.network.request(nodeSubject(node.self.id), { name: 'ping', body: {} }, 10_000)
      },
      stop: async () => {
        await owner.stop()
        await node.stop()
      },
    }
  }
