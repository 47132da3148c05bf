import type { BrowserContextOptions } from 'playwright-core'
import type { Tab } from './browser.ts'
import { Visitor } from './visitor.ts'
import { waitFor } from './wait.ts'

type Open = (url: string, options?: BrowserContextOptions) => Promise<Tab>
export type Codec = 'VP8' | 'VP9' | 'H264' | 'AV1'

interface JoinOptions extends BrowserContextOptions {
  /** The name to enter; absent: the name in the link. */
  name?: string
  /** Joins without waiting for camera and microphone. */
  withoutDevices?: boolean
  /** Has a silent microphone. */
  isSilent?: boolean
  /** The codec in which this page sends its camera. */
  sends?: Codec
  /** The machine has a hardware encoder for VP9. */
  hasEncoder?: boolean
  /** The page cannot decode VP9. */
  withoutVp9?: boolean
  /** The network blocks UDP; `through` replaces the TCP port of the media worker. */
  tcpOnly?: true | { through: number }
  /** Replacements for the ports of the media worker. */
  ports?: Ports
  /** The page uses TURN only, over this protocol: of two, Chromium keeps the one that answers first. */
  relayBy?: 'udp' | 'tcp'
}

interface Ports {
  udp?: number
  tcp?: number
}

export const UNUSED_PORT = 9

/** The statistics of one received video. */
interface ReceivedVideo {
  /** Changes when another consumer receives the video. */
  track: string
  codec: string
  width: number
  height: number
  /** Frames decoded so far. */
  frames: number
  /** The transport protocol of the selected candidate pair. */
  protocol: string
  /** The port of the media worker. */
  port: number
}

/** Joins a room with a page whose peer connections can be inspected. */
export async function joinInstrumented(
  open: Open,
  link: string,
  {
    name,
    withoutDevices = false,
    isSilent = false,
    sends,
    hasEncoder = false,
    withoutVp9 = false,
    tcpOnly,
    ports,
    relayBy,
    ...options
  }: JoinOptions = {},
): Promise<Visitor> {
  const tab = await open('about:blank', options)
  await tab.page.addInitScript(recordConnections, relayBy ?? null)
  if (hasEncoder) await tab.page.addInitScript(pretendEncoder)
  if (sends) await rewriteMedia(tab, preferCodec(sends))
  if (withoutVp9) await rewriteMedia(tab, opened => removeVp9(opened.router_rtp_capabilities), removeVp9)
  if (tcpOnly) await rewriteMedia(tab, withPorts(portsWithoutUdp(tcpOnly)))
  if (ports) await rewriteMedia(tab, withPorts(ports))
  await tab.page.goto(link)
  if (isSilent) await tab.page.getByRole('button', { name: 'Turn off microphone' }).waitFor()
  return Visitor.join(tab, {
    withoutDevices: withoutDevices || isSilent,
    ...(name !== undefined && { name }),
  })
}

/** An encoding of a video that a page sends. */
interface SentVideo {
  codec: string
  scalabilityMode: string
}

export const sentVideos = ({ page }: Visitor): Promise<SentVideo[]> => page.evaluate(readSentVideos)

/** Null while the page shows no such video or has received no frame of it. */
export async function receivedVideo({ page, video }: Visitor, label: string): Promise<ReceivedVideo | null> {
  const [track] = await video(label).evaluateAll(elements =>
    elements.map(
      element => ((element as HTMLVideoElement).srcObject as MediaStream | null)?.getTracks()[0]?.id,
    ),
  )
  return track === undefined ? null : page.evaluate(readReceivedVideo, track)
}

/** Waits until frames are decoded, on another track than `before` if given; resolves with the time. */
export async function waitForVideo(
  visitor: Visitor,
  label: string,
  before?: ReceivedVideo | null,
): Promise<number> {
  const isNew = (now: ReceivedVideo | null) => (now && now.track !== before?.track ? now.frames : 0)
  const grows = async (from: number) => isNew(await receivedVideo(visitor, label)) > from
  await waitFor(() => grows(0), `frames of ${label} arrive`)
  const since = Date.now()
  const seen = isNew(await receivedVideo(visitor, label))
  await waitFor(() => grows(seen + 3), `frames of ${label} continue`)
  return since
}

/** The transport protocols of the page: `udp`, `tcp`, or TURN, such as `tcp to a relay`. */
export const protocolsOf = ({ page }: Visitor): Promise<string[]> => page.evaluate(readProtocols)

/** Measures the longest time without a new frame, in milliseconds, until the returned function is called. */
export function measureFrameGap(visitor: Visitor, label: string): () => Promise<number> {
  let isMeasuring = true
  let longest = 0
  const measuring = (async () => {
    let since = Date.now()
    for (let frames = -1; isMeasuring; await visitor.page.waitForTimeout(20)) {
      const now = (await receivedVideo(visitor, label))?.frames ?? 0
      longest = Math.max(longest, Date.now() - since)
      if (now !== frames) since = Date.now()
      frames = now
    }
  })()
  measuring.catch(() => {}) // a test that has failed closes the page without asking for the result
  return async () => {
    isMeasuring = false
    await measuring
    return longest
  }
}

/** Waits until no more frames arrive. */
export async function waitForVideoEnd(visitor: Visitor, label: string): Promise<void> {
  let frames = -1
  await waitFor(async () => {
    const before = frames
    frames = (await receivedVideo(visitor, label))?.frames ?? 0
    await visitor.page.waitForTimeout(500)
    return frames === before
  }, `frames of ${label} stop`)
}

/** The fields of an opened endpoint that the tests change. */
interface OpenedMedia {
  router_rtp_capabilities: Capabilities
  send: { ice_candidates: Candidate[] }
  receive: { ice_candidates: Candidate[] }
}

interface Capabilities {
  codecs: { mimeType: string }[]
}

interface Candidate {
  protocol: 'udp' | 'tcp'
  port: number
}

/** Changes the endpoints that the page opens with its join or with media.open, and what the join says that it receives. */
async function rewriteMedia(
  { page }: Tab,
  change: (opened: OpenedMedia) => void,
  changeCapabilities: (own: Capabilities) => void = () => {},
): Promise<void> {
  await page.routeWebSocket(/control$/, socket => {
    const server = socket.connectToServer()
    server.onMessage(frame => {
      if (typeof frame !== 'string' || !frame.includes('router_rtp_capabilities')) return socket.send(frame)
      const message = JSON.parse(frame)
      const { data } = message.control_result
      change(data.media ?? data)
      socket.send(JSON.stringify(message))
    })
    socket.onMessage(frame => {
      const command = typeof frame === 'string' && JSON.parse(frame).control_command
      if (command?.name !== 'conference.join' || !command.body.media) return server.send(frame)
      changeCapabilities(command.body.media.rtp_capabilities)
      server.send(JSON.stringify({ control_command: command }))
    })
  })
}

/** Moves a codec to the front: a page sends in the first codec of the server's list. */
const preferCodec =
  (codec: Codec) =>
  ({ router_rtp_capabilities: { codecs } }: OpenedMedia): void => {
    const rank = ({ mimeType }: { mimeType: string }) => (mimeType === `video/${codec}` ? 0 : 1)
    codecs.sort((a, b) => rank(a) - rank(b))
  }

const removeVp9 = (capabilities: Capabilities): void => {
  capabilities.codecs = capabilities.codecs.filter(({ mimeType }) => mimeType !== 'video/VP9')
}

/** The ports for a network that blocks UDP. */
const portsWithoutUdp = (tcpOnly: true | { through: number }): Ports => ({
  udp: UNUSED_PORT,
  ...(tcpOnly !== true && { tcp: tcpOnly.through }),
})

const withPorts =
  (ports: Ports) =>
  ({ send, receive }: OpenedMedia): void => {
    for (const candidate of [...send.ice_candidates, ...receive.ice_candidates])
      candidate.port = ports[candidate.protocol] ?? candidate.port
  }

type InstrumentedGlobal = typeof globalThis & { connections: RTCPeerConnection[] }

/** Runs in the page, before its own script. */
function recordConnections(relayBy: string | null): void {
  const instrumented = globalThis as InstrumentedGlobal
  instrumented.connections = []
  instrumented.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration: RTCConfiguration = {}) {
      const relays = (configuration.iceServers ?? []).map(server => ({
        ...server,
        urls: [server.urls].flat().filter(url => url.endsWith(`=${relayBy}`)),
      }))
      super({ ...configuration, ...(relayBy && { iceTransportPolicy: 'relay', iceServers: relays }) })
      instrumented.connections.push(this)
    }
  }
}

/** Runs in the page, before its own script. */
function pretendEncoder(): void {
  navigator.mediaCapabilities.encodingInfo = async configuration => ({
    supported: true,
    smooth: true,
    powerEfficient: true,
    configuration,
  })
}

/** Runs in the page. */
async function readSentVideos(): Promise<SentVideo[]> {
  const sent: SentVideo[] = []
  for (const connection of (globalThis as InstrumentedGlobal).connections) {
    if (connection.connectionState === 'closed') continue
    const stats = new Map<string, Record<string, string>>()
    for (const [id, entry] of await connection.getStats()) stats.set(id, entry)
    for (const { type, kind, codecId = '', scalabilityMode = '' } of stats.values())
      if (type === 'outbound-rtp' && kind === 'video')
        sent.push({ codec: stats.get(codecId)?.mimeType ?? '', scalabilityMode })
  }
  return sent
}

/** Runs in the page. */
async function readReceivedVideo(track: string): Promise<ReceivedVideo | null> {
  for (const connection of (globalThis as InstrumentedGlobal).connections) {
    if (connection.connectionState === 'closed') continue
    const stats = new Map<string, Record<string, string & number>>()
    for (const [id, entry] of await connection.getStats()) stats.set(id, entry)
    const all = [...stats.values()]
    const inbound = all.find(
      ({ type, trackIdentifier }) => type === 'inbound-rtp' && trackIdentifier === track,
    )
    if (!inbound) continue
    const pair = stats.get(stats.get(inbound.transportId ?? '')?.selectedCandidatePairId ?? '')
    return {
      track,
      codec: stats.get(inbound.codecId ?? '')?.mimeType ?? '',
      width: inbound.frameWidth ?? 0,
      height: inbound.frameHeight ?? 0,
      frames: inbound.framesDecoded ?? 0,
      protocol: stats.get(pair?.localCandidateId ?? '')?.protocol ?? '',
      port: stats.get(pair?.remoteCandidateId ?? '')?.port ?? 0,
    }
  }
  return null
}

/** Runs in the page. */
async function readProtocols(): Promise<string[]> {
  const protocols: string[] = []
  for (const connection of (globalThis as InstrumentedGlobal).connections) {
    if (connection.connectionState !== 'connected') continue
    const stats = new Map<string, Record<string, string>>()
    for (const [id, entry] of await connection.getStats()) stats.set(id, entry)
    const transport = [...stats.values()].find(({ type }) => type === 'transport')
    const pair = stats.get(transport?.selectedCandidatePairId ?? '')
    const local = stats.get(pair?.localCandidateId ?? '')
    protocols.push(
      local?.candidateType === 'relay' ? `${local.relayProtocol} to a relay` : `${local?.protocol}`,
    )
  }
  return protocols
}
