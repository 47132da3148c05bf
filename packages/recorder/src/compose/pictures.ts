import { type Band, WHOLE_PICTURE } from './band.ts'
import { packetOf, unitsOf, unitType } from './nal-units.ts'
import type { StoredPacket } from './packets.ts'
import { backgroundSlice, idrIdOf, movedSlice, type Picture, parseSps, skippedSlice } from './slices.ts'
import { HEIGHT, WIDTH } from './video-format.ts'

/** A picture of a band as x264 has encoded it. */
export interface BandPicture extends StoredPacket {
  /** The frame of the scene that shows it first. */
  frame: number
}

/** Types of units. */
const [SLICE, IDR_SLICE, SPS, PPS] = [1, 5, 7, 8]
/** nal_ref_idc 2, as x264 has it in pictures which the next one refers to. */
const SLICE_HEADER = (2 << 5) | SLICE

/**
 * Makes `length` whole pictures of those of a band. Slices of background are added above and below it, and frames that show
 * nothing new become pictures of skipped macroblocks: x264 needs half as much time for a macroblock without changes as for
 * another, and this needs none (docs/decisions/093-what-does-not-change-is-not-encoded.md).
 */
export function completePictures(pictures: BandPicture[], band: Band, length: number): StoredPacket[] {
  const sequence = new Sequence(band)
  return pictures.flatMap(({ data, isKey, frame }, index) => {
    const next = pictures[index + 1]?.frame ?? length
    const first = { data: packetOf(sequence.complete(unitsOf(data))), isKey }
    const repeated = Array.from({ length: next - frame - 1 }, () => ({
      data: packetOf([sequence.repeat()]),
      isKey: false,
    }))
    return [first, ...repeated]
  })
}

/** Numbers the pictures of a stream. */
class Sequence {
  #frameNumberBits = 0
  #sinceIdr = 0
  readonly #band: Band

  constructor(band: Band) {
    this.#band = band
  }

  /** The units of the whole picture. */
  complete(units: Buffer[]): Buffer[] {
    return units.flatMap(unit => {
      switch (unitType(unit)) {
        case SPS: {
          const { frameNumberBits, whole } = parseSps(unit)
          this.#frameNumberBits = frameNumberBits
          return [whole]
        }
        case IDR_SLICE:
          this.#sinceIdr = 0
          return this.#slices(unit, this.#next(unit[0] as number, idrIdOf(unit, this.#frameNumberBits)))
        case SLICE:
          return this.#slices(unit, this.#next(unit[0] as number))
        default:
          return [unit]
      }
    })
  }

  /** A picture that equals the previous one. */
  repeat(): Buffer {
    return skippedSlice(WHOLE_PICTURE, this.#next(SLICE_HEADER))
  }

  #next(unitHeader: number, idrId: number | null = null): Picture {
    const frameNumber = this.#sinceIdr++ % 2 ** this.#frameNumberBits
    return { unitHeader, frameNumber, frameNumberBits: this.#frameNumberBits, idrId }
  }

  #slices(unit: Buffer, picture: Picture): Buffer[] {
    const { from, to } = this.#band
    const rest = (rows: Band) => {
      if (rows.from === rows.to) return []
      return [picture.idrId === null ? skippedSlice(rows, picture) : backgroundSlice(rows, picture)]
    }
    return [
      ...rest({ from: 0, to: from }),
      movedSlice(unit, this.#band, picture),
      ...rest({ from: to, to: WHOLE_PICTURE.to }),
    ]
  }
}

/** The decoder configuration of a stream that begins with that packet (ISO/IEC 14496-15 section 5.3.3.1). */
export function configOf({ data }: StoredPacket): VideoDecoderConfig {
  const units = unitsOf(data)
  const [sps, pps] = [SPS, PPS].map(type => units.find(unit => unitType(unit) === type))
  if (!sps || !pps) throw new Error('x264 has not repeated its parameter sets')
  const sized = (unit: Buffer) => Buffer.concat([Buffer.of(unit.length >> 8, unit.length & 0xff), unit])
  const profileAndLevel = sps.subarray(1, 4)
  return {
    codec: `avc1.${profileAndLevel.toString('hex')}`,
    codedWidth: WIDTH,
    codedHeight: HEIGHT,
    description: Buffer.concat([
      ...[Buffer.of(1), profileAndLevel, Buffer.of(0xff, 0xe1), sized(sps)],
      ...[Buffer.of(1), sized(pps)],
    ]),
  }
}
