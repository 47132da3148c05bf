import { type Band, MACROBLOCK } from './band.ts'
import { BitReader, BitWriter } from './bits.ts'
import { contentOf, unitOf } from './nal-units.ts'
import { BACKGROUND_YUV, HEIGHT, WIDTH } from './video-format.ts'

/** The fields that the headers of all slices of a picture have in common. */
export interface Picture {
  /** The header of its units. */
  unitHeader: number
  frameNumber: number
  frameNumberBits: number
  /** The idr_pic_id of an IDR picture; null for others. */
  idrId: number | null
}

const COLUMNS = WIDTH / MACROBLOCK
const [P_SLICE, I_SLICE] = [0, 2]
const PARAMETER_SET_ID = 0
const NO_DEBLOCKING = 1

/**
 * Values in a sequence parameter set: the Baseline profile_idc, and the pic_order_cnt_type of pictures that are shown
 * in the order of decoding.
 */
const [BASELINE, DECODING_ORDER] = [66, 2]

/** Macroblock types of I slices (ITU-T H.264 table 7-11), and bytes of the first one: 4:2:0. */
const I_PCM = 25
const I_16X16_DC = 3
const [LUMA_BYTES, CHROMA_BYTES] = [256, 64]

/** Header and data of a small slice. */
const HEADER_BYTES = 64

/** A slice of a band in the whole picture, as a picture with that number. Only its first fields differ. */
export function movedSlice(unit: Buffer, band: Band, picture: Picture): Buffer {
  const content = contentOf(unit)
  const reader = new BitReader(content)
  const first = reader.readUe()
  const type = reader.readUe()
  const parameterSet = reader.readUe()
  reader.read(picture.frameNumberBits)
  const writer = new BitWriter(content.length + HEADER_BYTES)
    .writeUe(first + band.from * COLUMNS)
    // Below 5: other slices of the picture may be of other types.
    .writeUe(type % 5)
    .writeUe(parameterSet)
    .write(picture.frameNumber, picture.frameNumberBits)
    .copy(reader)
  return unitOf(picture.unitHeader, writer.bytes)
}

/** idr_pic_id of a slice of an IDR picture. */
export function idrIdOf(unit: Buffer, frameNumberBits: number): number {
  const reader = new BitReader(contentOf(unit))
  for (let field = 0; field < 3; field++) reader.readUe()
  reader.read(frameNumberBits)
  return reader.readUe()
}

/** A slice whose rows equal those of the previous picture. */
export function skippedSlice(rows: Band, picture: Picture): Buffer {
  const writer = slice(rows, P_SLICE, picture, HEADER_BYTES)
    .write(1, 1) // num_ref_idx_active_override_flag
    .writeUe(0) // one reference
    .write(0, 2) // no reordering, sliding window
  endOfHeader(writer)
  writer.writeUe((rows.to - rows.from) * COLUMNS) // mb_skip_run
  return unitOf(picture.unitHeader, writer.end())
}

/** Rows of background in a picture without a previous one: a macroblock of samples, which all others predict from. */
export function backgroundSlice(rows: Band, picture: Picture): Buffer {
  const count = (rows.to - rows.from) * COLUMNS
  const writer = slice(rows, I_SLICE, picture, HEADER_BYTES + LUMA_BYTES + 2 * CHROMA_BYTES + count)
    .writeUe(picture.idrId ?? 0)
    .write(0, 2) // no_output_of_prior_pics_flag, long_term_reference_flag
  endOfHeader(writer)
  writer.writeUe(I_PCM).align()
  const [luma, ...chroma] = BACKGROUND_YUV
  for (let at = 0; at < LUMA_BYTES; at++) writer.write(luma, 8)
  for (const value of chroma) for (let at = 0; at < CHROMA_BYTES; at++) writer.write(value, 8)
  for (let index = 1; index < count; index++) {
    // mb_type, intra_chroma_pred_mode, mb_qp_delta
    writer.writeUe(I_16X16_DC).writeUe(0).writeUe(0)
    // coeff_token of no coefficients: beside samples, which count as 16 coefficients, it is another one (table 9-5).
    if (index === 1 || index === COLUMNS) writer.write(0b000011, 6)
    else writer.write(1, 1)
  }
  return unitOf(picture.unitHeader, writer.end())
}

const slice = (rows: Band, type: number, picture: Picture, bytesMax: number) =>
  new BitWriter(bytesMax)
    .writeUe(rows.from * COLUMNS)
    .writeUe(type)
    .writeUe(PARAMETER_SET_ID)
    .write(picture.frameNumber, picture.frameNumberBits)

const endOfHeader = (writer: BitWriter) => writer.writeUe(0 /* slice_qp_delta */).writeUe(NO_DEBLOCKING)

/** Parses a sequence parameter set: what slices depend on, and the set of the whole picture. */
export function parseSps(unit: Buffer): { frameNumberBits: number; whole: Buffer } {
  const content = contentOf(unit)
  const reader = new BitReader(content)
  const head = reader.read(24) // profile, constraints, level
  const id = reader.readUe()
  const frameNumberBits = reader.readUe() + 4
  const orderType = reader.readUe()
  const references = reader.readUe()
  const gaps = reader.read(1)
  const columns = reader.readUe() + 1
  reader.readUe() // rows
  // In other profiles the fields would be others.
  if (head >> 16 !== BASELINE || orderType !== DECODING_ORDER || columns !== COLUMNS)
    throw new Error('x264 has encoded with other parameters than asked for')
  const writer = new BitWriter(content.length + HEADER_BYTES)
    .write(head, 24)
    .writeUe(id)
    .writeUe(frameNumberBits - 4)
    .writeUe(orderType)
    .writeUe(references)
    .write(gaps, 1)
    .writeUe(columns - 1)
    .writeUe(HEIGHT / MACROBLOCK - 1)
    .copy(reader)
  return { frameNumberBits, whole: unitOf(unit[0] as number, writer.bytes) }
}
