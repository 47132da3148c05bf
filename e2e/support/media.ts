import type { BrowserContextOptions } from 'playwright-core'
import type { Tab } from './browser.ts'
import { Visitor } from './visitor.ts'
import { waitFor } from './wait.ts'

type Open = (url: string, options?: BrowserContextOptions) => Promise<Tab>
export type Codec = 'VP8' | 'VP9' | 'H264' | 'AV1'

interface Ways extends BrowserContextOptions {
  /** Typed before joining; without it, the name of the link. */
  name?: string
  /** Comes in without waiting for camera and microphone. */
  listens?: boolean
  /** Has a microphone that picks up nothing. */
  isSilent?: boolean
  /** The codec in which this page sends its camera. */
  sends?: Codec
  /** The network lets no UDP through; a port stands for that of the media worker. */
  tcpOnly?: true | { through: number }
  /** The page reaches the media worker at these ports instead. */
  ports?: Ports
  /** The page takes no way but through TURN, reached so: of two ways Chromium keeps the one that answers first. */
  relayBy?: 'udp' | 'tcp'
}

interface Ports {
  udp?: number
  tcp?: number
}

export const NOBODY_LISTENS = 9

/** What a page receives for one picture. */
interface Arriving {
  /** Another one after every new beginning. */
  track: string
  codec: string
  width: number
  height: number
  /** Decoded so far. */
  frames: number
  /** Of the way that the packets take. */
  protocol: string
}

/** Somebody in the room whose connections can be looked into. */
export async function joinMeasured(
  open: Open,
  link: string,
  { name, listens = false, isSilent = false, sends, tcpOnly, ports, relayBy, ...options }: Ways = {},
): Promise<Visitor> {
  const tab = await open('about:blank', options)
  await tab.page.addInitScript(keepConnections, relayBy ?? null)
  if (sends) await meddle(tab, prefer(sends))
  if (tcpOnly) await meddle(tab, reachedAt(withoutUdp(tcpOnly)))
  if (ports) await meddle(tab, reachedAt(ports))
  await tab.page.goto(link)
  if (isSilent) await tab.page.getByRole('button', { name: 'Turn off microphone' }).waitFor()
  return Visitor.join(tab, { listens: listens || isSilent, ...(name !== undefined && { name }) })
}

/** Null while there is no such picture, or nothing has come of it. */
export async function arriving({ page, video }: Visitor, label: string): Promise<Arriving | null> {
  const [track] = await video(label).evaluateAll(elements =>
    elements.map(
      element => ((element as HTMLVideoElement).srcObject as MediaStream | null)?.getTracks()[0]?.id,
    ),
  )
  return track === undefined ? null : page.evaluate(readArriving, track)
}

/** Waits until frames of it are decoded, on another track than before if one is given; tells when that was. */
export async function arrives(visitor: Visitor, label: string, before?: Arriving | null): Promise<number> {
  const isNew = (now: Arriving | null) => (now && now.track !== before?.track ? now.frames : 0)
  const grows = async (from: number) => isNew(await arriving(visitor, label)) > from
  await waitFor(() => grows(0), `frames of ${label} come`)
  const since = Date.now()
  const seen = isNew(await arriving(visitor, label))
  await waitFor(() => grows(seen + 3), `frames of ${label} go on coming`)
  return since
}

/** The ways that the page's connections take: `udp`, `tcp`, or through TURN, such as `tcp to a relay`. */
export const waysOf = ({ page }: Visitor): Promise<string[]> => page.evaluate(readWays)

/** Looks on until told to end; then gives the longest time, in milliseconds, without another frame of it. */
export function watchGaps(visitor: Visitor, label: string): () => Promise<number> {
  let isWatching = true
  let longest = 0
  const watching = (async () => {
    let since = Date.now()
    for (let frames = -1; isWatching; await visitor.page.waitForTimeout(20)) {
      const now = (await arriving(visitor, label))?.frames ?? 0
      longest = Math.max(longest, Date.now() - since)
      if (now !== frames) since = Date.now()
      frames = now
    }
  })()
  return async () => {
    isWatching = false
    await watching
    return longest
  }
}

/** Waits until no more frames of it come. */
export async function stops(visitor: Visitor, label: string): Promise<void> {
  let frames = -1
  await waitFor(async () => {
    const before = frames
    frames = (await arriving(visitor, label))?.frames ?? 0
    await visitor.page.waitForTimeout(500)
    return frames === before
  }, `frames of ${label} stop`)
}

/** What the server tells of its side, as far as it is changed here. */
interface Opened {
  router_rtp_capabilities: { codecs: { mimeType: string }[] }
  send: { ice_candidates: Candidate[] }
  receive: { ice_candidates: Candidate[] }
}

interface Candidate {
  protocol: 'udp' | 'tcp'
  port: number
}

/** Changes what the page hears of the media server. */
async function meddle({ page }: Tab, change: (opened: Opened) => void): Promise<void> {
  await page.routeWebSocket(/control$/, socket => {
    const server = socket.connectToServer()
    server.onMessage(frame => {
      if (typeof frame !== 'string' || !frame.includes('router_rtp_capabilities')) return socket.send(frame)
      const message = JSON.parse(frame)
      change(message.control_result.data)
      socket.send(JSON.stringify(message))
    })
  })
}

/** The first codec of the server's list is the one that a page sends in. */
const prefer =
  (codec: Codec) =>
  ({ router_rtp_capabilities: { codecs } }: Opened): void => {
    const rank = ({ mimeType }: { mimeType: string }) => (mimeType === `video/${codec}` ? 0 : 1)
    codecs.sort((a, b) => rank(a) - rank(b))
  }

/** A network where no datagram comes through, and streams go by another way if one is given. */
const withoutUdp = (tcpOnly: true | { through: number }): Ports => ({
  udp: NOBODY_LISTENS,
  ...(tcpOnly !== true && { tcp: tcpOnly.through }),
})

const reachedAt =
  (ports: Ports) =>
  ({ send, receive }: Opened): void => {
    for (const candidate of [...send.ice_candidates, ...receive.ice_candidates])
      candidate.port = ports[candidate.protocol] ?? candidate.port
  }

type Watched = typeof globalThis & { connections: RTCPeerConnection[] }

/** Runs in the page, before its own script. */
function keepConnections(relayBy: string | null): void {
  const watched = globalThis as Watched
  watched.connections = []
  watched.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration: RTCConfiguration = {}) {
      const relays = (configuration.iceServers ?? []).map(server => ({
        ...server,
        urls: [server.urls].flat().filter(url => url.endsWith(`=${relayBy}`)),
      }))
      super({ ...configuration, ...(relayBy && { iceTransportPolicy: 'relay', iceServers: relays }) })
      watched.connections.push(this)
    }
  }
}

/** Runs in the page. */
async function readArriving(track: string): Promise<Arriving | null> {
  for (const connection of (globalThis as Watched).connections) {
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
    }
  }
  return null
}

/** Runs in the page. */
async function readWays(): Promise<string[]> {
  const ways: string[] = []
  for (const connection of (globalThis as Watched).connections) {
    if (connection.connectionState !== 'connected') continue
    const stats = new Map<string, Record<string, string>>()
    for (const [id, entry] of await connection.getStats()) stats.set(id, entry)
    const transport = [...stats.values()].find(({ type }) => type === 'transport')
    const pair = stats.get(transport?.selectedCandidatePairId ?? '')
    const local = stats.get(pair?.localCandidateId ?? '')
    ways.push(local?.candidateType === 'relay' ? `${local.relayProtocol} to a relay` : `${local?.protocol}`)
  }
  return ways
}
