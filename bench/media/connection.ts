import ndc, { type PeerConnection, type Track } from 'node-datachannel'
import { CODECS, type Kind, PacketStream } from './rtp.ts'

const CONNECTED_WITHIN_MS = 120_000

/** A WebRTC connection of libdatachannel, without congestion control. */
abstract class Connection {
  protected readonly connection: PeerConnection = new ndc.PeerConnection('bench', {
    iceServers: [],
    disableAutoNegotiation: true,
  })
  readonly connected: Promise<void>
  readonly #gathered: Promise<void>

  constructor() {
    this.connected = new Promise((resolve, reject) => {
      const late = setTimeout(reject, CONNECTED_WITHIN_MS, new Error('no media connection in time'))
      this.connection.onStateChange(state => {
        if (state !== 'connected') return
        clearTimeout(late)
        resolve()
      })
    })
    this.connected.catch(() => {}) // reported to callers that wait for it
    this.#gathered = new Promise(resolve =>
      this.connection.onGatheringStateChange(state => {
        if (state === 'complete') resolve()
      }),
    )
  }

  close(): void {
    this.connection.close()
  }

  protected async describe(type: 'offer' | 'answer'): Promise<string> {
    this.connection.setLocalDescription(type)
    await this.#gathered
    return this.connection.localDescription()?.sdp ?? ''
  }
}

const KINDS: Kind[] = ['audio', 'video']

/** Sends a microphone and a camera track. */
export class SendConnection extends Connection {
  readonly streams = { audio: new PacketStream('audio'), video: new PacketStream('video') }
  readonly #tracks: Record<Kind, Track>

  constructor() {
    super()
    const [audio, video] = KINDS.map(kind => this.#addTrack(kind)) as [Track, Track]
    this.#tracks = { audio, video }
  }

  offer(): Promise<string> {
    return this.describe('offer')
  }

  answered(sdp: string): void {
    this.connection.setRemoteDescription(sdp, 'answer')
  }

  send(kind: Kind): void {
    this.sendPacket(kind, this.streams[kind].next())
  }

  /** False: the connection has ended. */
  get isOpen(): boolean {
    return this.#tracks.video.isOpen()
  }

  /** The packet MUST have the SSRC of the stream. */
  sendPacket(kind: Kind, packet: Buffer): void {
    this.#tracks[kind].sendMessageBinary(packet)
  }

  #addTrack(kind: Kind): Track {
    const media = kind === 'audio' ? new ndc.Audio('0', 'SendOnly') : new ndc.Video('1', 'SendOnly')
    const { payloadType } = CODECS[kind]
    if (media instanceof ndc.Audio) media.addOpusCodec(payloadType)
    else media.addVP8Codec(payloadType)
    media.addSSRC(this.streams[kind].ssrc, 'bench', 'bench', kind)
    return this.connection.addTrack(media)
  }
}

/** Counts and discards received packets. */
export class ReceiveConnection extends Connection {
  readonly received = { packets: 0, bytes: 0 }
  readonly #tracks: Track[] = []

  constructor() {
    super()
    this.connection.onTrack(track => {
      this.#tracks.push(track) // prevents garbage collection
      track.onMessage(packet => {
        if (isRtcp(packet)) return
        this.received.packets++
        this.received.bytes += packet.length
      })
    })
  }

  answer(offer: string): Promise<string> {
    this.connection.setRemoteDescription(offer, 'offer')
    return this.describe('answer')
  }
}

/** RFC 5761 §4. */
const isRtcp = (packet: Buffer) => (packet[1] ?? 0) >= 192 && (packet[1] ?? 0) <= 223
