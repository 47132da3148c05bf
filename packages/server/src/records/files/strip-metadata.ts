/** Removes what cameras and programs add to images: places, devices, names, times and previews. Colours and orientation stay. */

/** Images have some thousands of segments or chunks at most; endless ones would cost memory and seconds. */
const PARTS_MAX = 100_000

/** Null: the image is damaged, so that nothing can be said about it. The same buffer: there was nothing to remove. */
export function stripMetadata(image: Buffer, contentType: string): Buffer | null {
  const strip = STRIPPERS[contentType]
  if (!strip) return image
  try {
    const parts = strip(image)
    if (!parts) return null
    const stripped = Buffer.concat(parts)
    return stripped.equals(image) ? image : stripped
  } catch (error) {
    if (error instanceof RangeError) return null // it ends too early
    throw error
  }
}

const STRIPPERS: Record<string, (image: Buffer) => Buffer[] | null> = {
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
  'image/gif': stripGif,
}

const PNG_HEADER_BYTES = 8
/**
 * The kept chunks. Others, which programs add, are not known: only what changes the picture stays. A capital letter: it
 * cannot be shown without it.
 */
const PNG_KEPT = [
  ...['cHRM', 'cICP', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'mDCV', 'cLLI', 'bKGD', 'hIST', 'tRNS', 'pHYs', 'sPLT'],
  ...['acTL', 'fcTL', 'fdAT'],
]
const isPngKept = (type: string) => /^[A-Z]/.test(type) || PNG_KEPT.includes(type)

/** Keeps the chunks up to IEND; bytes behind it are not part of the image. */
function stripPng(image: Buffer): Buffer[] | null {
  const kept = [image.subarray(0, PNG_HEADER_BYTES)]
  for (let at = PNG_HEADER_BYTES, parts = 0; parts < PARTS_MAX; parts++) {
    const end = at + 12 + image.readUInt32BE(at)
    const type = image.toString('latin1', at + 4, at + 8)
    if (end > image.length) return null
    if (isPngKept(type)) kept.push(image.subarray(at, end))
    if (type === 'IEND') return kept
    at = end
  }
  return null
}

const WEBP_FLAGS_AT = 8
const WEBP_EXIF_AND_XMP = 0x0c
const WEBP_KEPT = ['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']

function stripWebp(image: Buffer): Buffer[] | null {
  const end = 8 + image.readUInt32LE(4)
  if (end > image.length + 1) return null
  const kept: Buffer[] = []
  for (let at = 12, parts = 0; at + 8 <= Math.min(end, image.length); parts++) {
    const type = image.toString('latin1', at, at + 4)
    const size = image.readUInt32LE(at + 4)
    const next = at + 8 + size + (size % 2)
    if (at + 8 + size > image.length || parts === PARTS_MAX) return null
    const chunk = image.subarray(at, next)
    if (type === 'VP8X') kept.push(withoutFlags(chunk))
    else if (WEBP_KEPT.includes(type)) kept.push(chunk)
    at = next
  }
  const header = Buffer.from(image.subarray(0, 12))
  header.writeUInt32LE(4 + kept.reduce((sum, { length }) => sum + length, 0), 4)
  return [header, ...kept]
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk)
  copy.writeUInt8(copy.readUInt8(WEBP_FLAGS_AT) & ~WEBP_EXIF_AND_XMP, WEBP_FLAGS_AT)
  return copy
}

const SOI_BYTES = 2
const [EOI, SOS, APP0, APP1, APP2, APP14, APP15, COM] = [0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe]

function stripJpeg(image: Buffer): Buffer[] | null {
  const kept = [image.subarray(0, SOI_BYTES)]
  for (let at = SOI_BYTES, parts = 0; parts < PARTS_MAX; parts++) {
    if (image.readUInt8(at) !== 0xff) return null
    const marker = image.readUInt8(at + 1)
    if (marker === 0xff) {
      at++ // a fill byte
      continue
    }
    // Bytes behind the end are not part of the image: previews and videos of telephones.
    if (marker === EOI) return [...kept, image.subarray(at, at + 2)]
    const end = at + 2 + image.readUInt16BE(at + 2)
    if (end > image.length) return null
    const segment = image.subarray(at, end)
    const next = marker === SOS ? endOfScan(image, end) : end
    if (marker === APP1) kept.push(...orientationOf(segment))
    else if (marker === APP0) kept.push(...resolutionOf(segment))
    else if (isKept(marker, segment)) kept.push(image.subarray(at, next))
    at = next
  }
  return null
}

/** APP2: the colour profile. APP14: how colours are encoded. */
function isKept(marker: number, segment: Buffer): boolean {
  if (marker === COM) return false
  if (marker === APP2) return segment.toString('latin1', 4, 15) === 'ICC_PROFILE'
  if (marker === APP14) return segment.toString('latin1', 4, 9) === 'Adobe'
  return marker < APP0 || marker > APP15
}

const JFIF_BYTES = 18
const THUMBNAIL_AT = 16

/** A JFIF segment without the preview that it may have. The previews of JFXX segments are all that these have. */
function resolutionOf(segment: Buffer): Buffer[] {
  if (segment.toString('latin1', 4, 9) !== 'JFIF\0' || segment.length < JFIF_BYTES) return []
  const header = Buffer.from(segment.subarray(0, JFIF_BYTES))
  header.writeUInt16BE(JFIF_BYTES - 2, 2)
  header.writeUInt16BE(0, THUMBNAIL_AT)
  return [header]
}

/** The next marker; in a scan, FF is followed by 0, or by the number of a restart. */
function endOfScan(image: Buffer, from: number): number {
  for (let at = from; at + 1 < image.length; at++) {
    if (image[at] !== 0xff) continue
    const next = image.readUInt8(at + 1)
    if (next !== 0 && (next < 0xd0 || next > 0xd7) && next !== 0xff) return at
  }
  throw new RangeError('the scan has no end')
}

const TIFF_AT = 10
const ORIENTATION = 0x0112

/** An Exif segment with nothing but the orientation; none, if it is the usual one. */
function orientationOf(segment: Buffer): Buffer[] {
  if (segment.toString('latin1', 4, TIFF_AT) !== 'Exif\0\0') return []
  try {
    const isLittle = segment.toString('latin1', TIFF_AT, TIFF_AT + 2) === 'II'
    const u16 = (at: number) => (isLittle ? segment.readUInt16LE(at) : segment.readUInt16BE(at))
    const u32 = (at: number) => (isLittle ? segment.readUInt32LE(at) : segment.readUInt32BE(at))
    const directory = TIFF_AT + u32(TIFF_AT + 4)
    for (let i = 0; i < u16(directory); i++) {
      const entry = directory + 2 + 12 * i
      const value = u16(entry + 8)
      if (u16(entry) === ORIENTATION) return value > 1 && value <= 8 ? [orientationSegment(value)] : []
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return []
}

const orientationSegment = (value: number): Buffer =>
  Buffer.from([
    ...[0xff, APP1, 0, 34],
    ...Buffer.from('Exif\0\0MM\0*', 'latin1'),
    ...[0, 0, 0, 8, 0, 1],
    ...[1, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0],
    ...[0, 0, 0, 0],
  ])

const GIF_SCREEN_BYTES = 13
const [GIF_EXTENSION, GIF_IMAGE, GIF_TRAILER] = [0x21, 0x2c, 0x3b]
const [GIF_CONTROL, GIF_APPLICATION] = [0xf9, 0xff]
/** How often it is repeated, and its colours. */
const GIF_APPLICATIONS_KEPT = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

/** Comments, XMP and the data of other applications go, and what follows the end. */
function stripGif(image: Buffer): Buffer[] | null {
  let at = GIF_SCREEN_BYTES + gifColours(image.readUInt8(10))
  const kept = [image.subarray(0, at)]
  for (let parts = 0; parts < PARTS_MAX; parts++) {
    const from = at
    const block = image[at]
    if (block === GIF_EXTENSION) at = endOfGifData(image, at + 2)
    else if (block === GIF_IMAGE) at = endOfGifData(image, at + 11 + gifColours(image.readUInt8(at + 9)))
    // Anything else ends the image, as for browsers.
    else return [...kept, Buffer.from([GIF_TRAILER])]
    if (block === GIF_IMAGE || isGifExtensionKept(image.subarray(from, at)))
      kept.push(image.subarray(from, at))
  }
  return null
}

/** The bytes of a table of colours, by the flags that say whether there is one. */
const gifColours = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function isGifExtensionKept(extension: Buffer): boolean {
  const label = extension.readUInt8(1)
  if (label !== GIF_APPLICATION) return label === GIF_CONTROL
  return GIF_APPLICATIONS_KEPT.includes(extension.toString('latin1', 3, 14))
}

/** Behind blocks with their lengths before them, of which the last one is empty. */
function endOfGifData(image: Buffer, from: number): number {
  let at = from
  for (let length = image.readUInt8(at); length > 0; length = image.readUInt8(at)) at += 1 + length
  return at + 1
}
