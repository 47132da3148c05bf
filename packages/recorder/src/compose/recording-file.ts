import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  MkvOutputFormat,
  Output,
} from 'mediabunny'
import { type Chunk, chunkName } from './chunks.ts'
import { LEAD_IN_PACKETS } from './compose-audio.ts'
import { opusConfig } from './ogg.ts'
import { packetsOf, videoConfig } from './packets.ts'
import { FPS, FRAME_SAMPLES } from './picture.ts'

/** What libopus needs to look ahead: its encoder is that much late. */
const ENCODER_DELAY_SAMPLES = 312
const PACKET_SECONDS = 0.02
const PACKETS_PER_FRAME = FRAME_SAMPLES / 960

/** Joins the chunks to one Matroska file, packet by packet and without encoding anything again. */
export async function joinChunks(folder: string, chunks: Chunk[], file: string) {
  const output = new Output({ format: new MkvOutputFormat(), target: new FilePathTarget(file) })
  const video = new EncodedVideoPacketSource('avc')
  const audio = new EncodedAudioPacketSource('opus')
  output.addVideoTrack(video, { frameRate: FPS })
  output.addAudioTrack(audio)
  await output.start()
  const writer = new Writer(video, audio)
  for (const chunk of chunks) await writer.add(join(folder, chunkName(chunk)), chunk)
  await output.finalize()
}

class Writer {
  #frame = 0
  #packet = 0

  constructor(
    private readonly video: EncodedVideoPacketSource,
    private readonly audio: EncodedAudioPacketSource,
  ) {}

  /** The two advance together, so that a player finds both at each place of the file. */
  async add(folder: string, chunk: Chunk) {
    const names = (await readdir(folder)).filter(name => name.startsWith('video-')).sort()
    const sound = packetsOf(join(folder, 'audio.mka'))
    for (let skipped = 0; skipped < LEAD_IN_PACKETS; skipped++) await sound.next()
    for (const name of names) {
      const file = join(folder, name)
      const config = this.#frame === 0 ? await videoConfig(file) : undefined
      for await (const packet of packetsOf(file)) {
        await this.#addFrame(packet, config)
        for (let each = 0; each < PACKETS_PER_FRAME; each++) await this.#addSound((await sound.next()).value)
        // The tracks of other jobs are heard by this process too.
        if (this.#frame % FPS === 0) await setImmediate()
      }
    }
    await sound.return(undefined)
    if (this.#frame !== chunk.to) throw new Error(`${this.#frame} frames where there are to be ${chunk.to}`)
  }

  async #addFrame(packet: EncodedPacket, decoderConfig: VideoDecoderConfig | undefined) {
    const timestamp = this.#frame / FPS
    const meta = this.#frame === 0 && decoderConfig ? { decoderConfig } : undefined
    this.#frame += 1
    await this.video.add(packet.clone({ timestamp, duration: 1 / FPS }), meta)
  }

  async #addSound(packet: EncodedPacket | undefined) {
    if (!packet) throw new Error('sound is missing in a chunk')
    const timestamp = this.#packet * PACKET_SECONDS
    const meta = this.#packet === 0 ? { decoderConfig: opusConfig(ENCODER_DELAY_SAMPLES) } : undefined
    this.#packet += 1
    await this.audio.add(packet.clone({ timestamp, duration: PACKET_SECONDS }), meta)
  }
}
