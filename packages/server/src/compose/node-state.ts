import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { Logger } from 'pino'
import type { MediaNode } from '../cluster/media/media-node.ts'
import type { ClusterNetwork } from '../cluster/network/network.ts'
import { useAuthPolicies } from '../http/auth-policy.ts'
import { closeConnections } from '../http/closing.ts'
import { sendError } from '../http/errors.ts'
import type { MediaServer } from '../media/ports.ts'
import { useHealth } from '../operations/telemetry/health.ts'
import { type Gauges, useMetrics } from '../operations/telemetry/metrics.ts'
import { RequestDurations } from '../operations/telemetry/request-durations.ts'
import type { Config } from '../platform/config/index.ts'
import type { Lifetime } from '../platform/lifetime.ts'

interface NodeStateParts {
  config: Config
  log: Logger
  lifetime: Lifetime
  node: MediaNode
  media: MediaServer
  network: ClusterNetwork
}

const BODY_LIMIT_BYTES = 1_024
const REQUEST_TIMEOUT_MS = 10_000

/** Serves `/healthz`, `/readyz` and `/metrics` of a media node. Returns the address. */
export async function serveNodeState({
  config,
  log,
  lifetime,
  node,
  media,
  network,
}: NodeStateParts): Promise<string> {
  const app = fastify({ bodyLimit: BODY_LIMIT_BYTES, requestTimeout: REQUEST_TIMEOUT_MS })
  lifetime.own('state of the media node', app, each => each.close())
  app.setErrorHandler(sendError)
  closeConnections(app)
  useAuthPolicies(app)
  useHealth(app, async () => network.isConnected && node.load.workers > 0 && !node.status.draining)
  const { MetricsToken: token, MetricsPublic: isPublic } = config.Server
  useMetrics(app, { token, isPublic }, gaugesOf(node, media, network), new RequestDurations())
  const { Host, Port } = config.MediaNode
  await app.listen({ host: Host, port: Port })
  const { port } = app.server.address() as AddressInfo
  const url = `http://${Host.includes(':') ? `[${Host}]` : Host}:${port}`
  log.info({ url }, 'state and metrics of the media node are served')
  return url
}

const gaugesOf = (node: MediaNode, media: MediaServer, network: ClusterNetwork): Gauges => ({
  media_node_rooms: { help: 'Sessions that the media node serves.', read: () => node.load.rooms },
  media_node_load: {
    help: 'Load of the media node; 1 when its workers forward about as much as they can.',
    read: () => node.load.load,
  },
  media_node_workers: { help: 'Media workers that are alive.', read: () => node.load.workers },
  media_node_draining: {
    help: 'Whether sessions move away from the media node.',
    read: () => Number(node.status.draining),
  },
  media_node_connected: {
    help: 'Whether the media node is connected to NATS.',
    read: () => Number(network.isConnected),
  },
  media_worker_descriptors_ratio: {
    help: 'Share of its file descriptors that the fullest media worker has open.',
    read: () => node.load.descriptors,
  },
  media_outgoing_bps: {
    help: 'Bits per second that the media workers send to participants.',
    read: async () => (await media.measureTraffic()).outgoingBps,
  },
})
