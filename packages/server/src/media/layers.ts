import type { MediaSource } from '@lectern/protocol/control'
import type { RtpEncodingParameters } from 'mediasoup/types'
import type { DisplaySize } from './ports.ts'

/** The assumed height of the best layer, in pixels: it is not signalled, and senders adapt it. */
const TOP_HEIGHT: Record<MediaSource, number> = { camera: 720, screen: 1080, microphone: 0, screen_audio: 0 }

/**
 * Low-resolution cameras send fewer layers, of which the smallest is assumed to have this height. Underestimating costs
 * some bandwidth; overestimating would blur the video.
 */
const CAMERA_BASE_HEIGHT = 180

/** Beyond this factor, upscaled video looks blurred. */
const MAX_UPSCALING = 1.25
const WIDESCREEN = 9 / 16

/**
 * The smallest spatial layer that suffices for the displayed size. `scales` are the layers' downscaling factors, smallest
 * layer first.
 */
export function layerFor(size: NonNullable<DisplaySize>, source: MediaSource, scales: number[]): number {
  // Video that fills a wide, flat tile is cropped: the width determines its height.
  const requiredHeight = Math.max(size.height, size.width * WIDESCREEN)
  const top = topHeight(source, scales)
  const fits = scales.findIndex(scale => (top / scale) * MAX_UPSCALING >= requiredHeight)
  return fits === -1 ? scales.length - 1 : fits
}

const topHeight = (source: MediaSource, [smallest = 1]: number[]) =>
  source === 'camera' ? Math.min(TOP_HEIGHT.camera, CAMERA_BASE_HEIGHT * smallest) : TOP_HEIGHT[source]

const MODE = /^[LS]([1-9])T[1-9]/

/** The downscaling factors of simulcast encodings, or of the spatial layers within one encoding. */
export function scalesOf(encodings: RtpEncodingParameters[]): number[] {
  const [first] = encodings
  if (encodings.length > 1)
    return encodings.map((encoding, i) => explicitScale(encoding) ?? defaultScale(encodings.length, i))
  const spatialLayers = Number(MODE.exec(first?.scalabilityMode ?? '')?.[1] ?? 1)
  return Array.from({ length: spatialLayers }, (_, i) => defaultScale(spatialLayers, i))
}

/** The names of layers from the smallest to the best: of browsers' samples, and the numbers of OBS. */
const RIDS = [
  ['q', 'h', 'f'],
  ['l', 'm', 'h'],
  ['low', 'mid', 'high'],
  ['3', '2', '1', '0'],
]

/**
 * Encodings of simulcast from the smallest to the best, as mediasoup takes them. Senders list them in either order, which
 * means nothing (RFC 8853): their scales count, then their bitrates, then their names.
 */
export function orderedEncodings<E extends RtpEncodingParameters>(encodings: E[]): E[] {
  const scales = encodings.map(explicitScale)
  const bitrates = encodings.map(({ maxBitrate }) => maxBitrate ?? 0)
  const names = RIDS.find(rids => encodings.every(({ rid }) => rids.includes(rid ?? '')))
  const rankOf = (encoding: E, i: number): number => {
    // A sender that scales one encoding has the others unscaled.
    if (scales.some(scale => scale !== null)) return -(scales[i] ?? 1)
    if (bitrates.every(bitrate => bitrate > 0)) return bitrates[i] ?? 0
    return names?.indexOf(encoding.rid ?? '') ?? 0
  }
  return encodings
    .map((encoding, i) => ({ encoding, rank: rankOf(encoding, i) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ encoding }) => encoding)
}

/** By default each layer has half the height of the next better one. */
const defaultScale = (count: number, index: number) => 2 ** (count - 1 - index)

/** mediasoup passes this WebRTC field on, but its types lack it. */
function explicitScale(encoding: RtpEncodingParameters & { scaleResolutionDownBy?: unknown }): number | null {
  const scale = encoding.scaleResolutionDownBy
  return typeof scale === 'number' && scale >= 1 ? scale : null
}
