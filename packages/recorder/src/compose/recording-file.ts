import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { AUDIO_FILE, type Chunk, CONFIG_FILE, chunkName, VIDEO_FILE } from './chunks.ts'
import { fileTarget } from './file-target.ts'
import { opusConfig } from './ogg.ts'
import { readPackets, type StoredPacket } from './packets.ts'
import { FPS, FRAME_SAMPLES } from './video-format.ts'

/** Look-ahead of the libopus encoder. */
const ENCODER_DELAY_SAMPLES = 312
const PACKET_SECONDS = 0.02
const PACKETS_PER_FRAME = FRAME_SAMPLES / 960

export type Container = 'matroska' | 'mp4'

/**
 * The index of an MP4 file is at its beginning, in space that is reserved for it, so that players begin with the first bytes, and
 * neither memory nor a second pass is needed (decision 177).
 */
const formatOf = (container: Container) =>
  container === 'mp4' ? new Mp4OutputFormat({ fastStart: 'reserve' }) : new MkvOutputFormat()

/** Joins chunks into one file without re-encoding. */
export async function joinChunks(folder: string, chunks: Chunk[], file: string, container: Container) {
  const [first] = chunks
  if (!first) throw new Error('there are no chunks')
  const output = new Output({ format: formatOf(container), target: fileTarget(file) })
  const video = new EncodedVideoPacketSource('avc')
  const audio = new EncodedAudioPacketSource('opus')
  const frames = chunks.reduce((sum, { from, to }) => sum + to - from, 0)
  output.addVideoTrack(video, { frameRate: FPS, maximumPacketCount: frames })
  output.addAudioTrack(audio, { maximumPacketCount: frames * PACKETS_PER_FRAME })
  await output.start()
  const writer = new Writer(video, audio, await readConfig(join(folder, chunkName(first), CONFIG_FILE)))
  for (const chunk of chunks) await writer.add(join(folder, chunkName(chunk)), chunk)
  await output.finalize()
}

/** Serialised form in the folder of each chunk. */
export const serializeConfig = ({ codec, codedWidth, codedHeight, description }: VideoDecoderConfig) =>
  JSON.stringify({
    ...{ codec, codedWidth, codedHeight },
    description: Buffer.from(description as Uint8Array).toString('base64'),
  })

async function readConfig(file: string): Promise<VideoDecoderConfig> {
  const { description, ...config } = JSON.parse(await readFile(file, 'utf8'))
  return { ...config, description: Buffer.from(description, 'base64') }
}

class Writer {
  #frame = 0
  #packet = 0
  readonly #video: EncodedVideoPacketSource
  readonly #audio: EncodedAudioPacketSource
  readonly #config: VideoDecoderConfig

  constructor(video: EncodedVideoPacketSource, audio: EncodedAudioPacketSource, config: VideoDecoderConfig) {
    this.#video = video
    this.#audio = audio
    this.#config = config
  }

  /** Interleaves audio and video. */
  async add(folder: string, { from, to }: Chunk) {
    const frames = await readPackets(join(folder, VIDEO_FILE))
    const audio = await readPackets(join(folder, AUDIO_FILE))
    if (this.#frame !== from || frames.length !== to - from)
      throw new Error('a chunk does not match its name')
    for (const [position, frame] of frames.entries()) {
      await this.#addFrame(frame)
      const first = position * PACKETS_PER_FRAME
      for (const packet of audio.slice(first, first + PACKETS_PER_FRAME)) await this.#addAudio(packet)
    }
    // Yields to the capture of other sessions in this process.
    await setImmediate()
  }

  async #addFrame({ data, isKey }: StoredPacket) {
    const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', this.#frame / FPS, 1 / FPS)
    await this.#video.add(packet, this.#frame === 0 ? { decoderConfig: this.#config } : undefined)
    this.#frame += 1
  }

  async #addAudio({ data }: StoredPacket) {
    const packet = new EncodedPacket(data, 'key', this.#packet * PACKET_SECONDS, PACKET_SECONDS)
    const decoderConfig = opusConfig(ENCODER_DELAY_SAMPLES)
    await this.#audio.add(packet, this.#packet === 0 ? { decoderConfig } : undefined)
    this.#packet += 1
  }
}
