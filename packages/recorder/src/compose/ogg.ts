import { EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny'
import { SAMPLE_RATE, SILENCE, SILENCE_SAMPLES } from '../frames/opus.ts'
import type { PlacedAudio } from '../tracks/audio-track.ts'
import { fileTarget } from './file-target.ts'

/** Stereo; mono packets decode to two channels as well. */
export const CHANNELS = 2

export const opusConfig = (skippedSamples: number) => ({
  codec: 'opus',
  numberOfChannels: CHANNELS,
  sampleRate: SAMPLE_RATE,
  description: opusHead(skippedSamples),
})

/** RFC 7845 section 5.1. */
function opusHead(skippedSamples: number): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead', 0, 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(CHANNELS, 9)
  head.writeUInt16LE(skippedSamples, 10)
  head.writeUInt32LE(SAMPLE_RATE, 12)
  return head
}

/** Writes Opus packets to an Ogg file and fills gaps with silence, because Ogg cannot represent gaps. */
export class OpusFile {
  readonly #source = new EncodedAudioPacketSource('opus')
  readonly #output: Output
  #start: number | null = null
  #next = 0
  #isFirst = true

  constructor(file: string) {
    this.#output = new Output({ format: new OggOutputFormat(), target: fileTarget(file) })
    this.#output.addAudioTrack(this.#source)
  }

  /** First sample of the file; null while it is empty. */
  get start() {
    return this.#start
  }

  get samples() {
    return this.#next - (this.#start ?? 0)
  }

  open() {
    return this.#output.start()
  }

  async add(packet: PlacedAudio) {
    this.#start ??= this.#next = packet.start
    while (packet.start - this.#next >= SILENCE_SAMPLES) await this.#write(SILENCE, SILENCE_SAMPLES)
    // Overlaps another track of the same device.
    if (packet.start < this.#next) return
    await this.#write(packet.data, packet.samples)
  }

  close() {
    return this.#output.finalize()
  }

  async #write(data: Buffer, samples: number) {
    const at = (this.#next - (this.#start ?? 0)) / SAMPLE_RATE
    const packet = new EncodedPacket(data, 'key', at, samples / SAMPLE_RATE)
    await this.#source.add(packet, this.#isFirst ? { decoderConfig: opusConfig(0) } : undefined)
    this.#isFirst = false
    this.#next += samples
  }
}
