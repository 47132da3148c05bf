import type { MediaSource } from '@lectern/protocol/control'
import type { RtpEncodingParameters } from 'mediasoup/types'
import type { DisplaySize } from './ports.ts'

/** How high the best layer is taken to be at most: nobody tells us, and senders adapt it. */
const TOP_HEIGHT: Record<MediaSource, number> = { camera: 720, screen: 1080, microphone: 0, screen_audio: 0 }

/**
 * Small cameras are sent in fewer layers, of which the smallest has at least so many lines. What is in truth larger
 * than it is taken to be costs some bandwidth; the other way round the picture would be soft.
 */
const CAMERA_BASE_HEIGHT = 180

/** A picture may be enlarged this much before it looks soft. */
const ENLARGED_MAX = 1.25
const WIDESCREEN = 9 / 16

/**
 * Which spatial layer is large enough for a picture of this size: the smallest that is. `scales` says how many
 * times smaller than the best each layer is, smallest layer first.
 */
export function layerFor(shown: NonNullable<DisplaySize>, source: MediaSource, scales: number[]): number {
  // A picture that fills a wide, flat frame is cut; it is as high as the width asks for.
  const wanted = Math.max(shown.height, shown.width * WIDESCREEN)
  const top = topHeight(source, scales)
  const fits = scales.findIndex(scale => (top / scale) * ENLARGED_MAX >= wanted)
  return fits === -1 ? scales.length - 1 : fits
}

const topHeight = (source: MediaSource, [smallest = 1]: number[]) =>
  source === 'camera' ? Math.min(TOP_HEIGHT.camera, CAMERA_BASE_HEIGHT * smallest) : TOP_HEIGHT[source]

const MODE = /^[LS]([1-9])T[1-9]/

/** The scales of what is sent: of simulcast encodings, or of the spatial layers within one. */
export function scalesOf(encodings: RtpEncodingParameters[]): number[] {
  const [first] = encodings
  if (encodings.length > 1)
    return encodings.map((encoding, i) => given(encoding) ?? half(encodings.length, i))
  const spatialLayers = Number(MODE.exec(first?.scalabilityMode ?? '')?.[1] ?? 1)
  return Array.from({ length: spatialLayers }, (_, i) => half(spatialLayers, i))
}

/** Each layer is half as high as the next better one, unless the sender says otherwise. */
const half = (count: number, index: number) => 2 ** (count - 1 - index)

/** mediasoup carries this field of WebRTC without naming it. */
function given(encoding: RtpEncodingParameters & { scaleResolutionDownBy?: unknown }): number | null {
  const scale = encoding.scaleResolutionDownBy
  return typeof scale === 'number' && scale >= 1 ? scale : null
}
