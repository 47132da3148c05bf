import type { MediaSource } from '@lectern/protocol/control/client'
import type { types } from 'mediasoup-client'

type Encoding = Pick<types.ProducerOptions, 'codecOptions' | 'encodings'>

/** What is known of a track; a browser that has not seen a frame yet knows no size. */
type Sized = Pick<MediaStreamTrack, 'getSettings'>

const voiceOptions = { opusDtx: true, opusFec: true }
/** Without it a browser begins with a picture that is far too small, and stays there for seconds. */
const highStartBitrate = { videoGoogleStartBitrate: 1000 }

/** How each source other than a camera is encoded. */
const encodings: Record<Exclude<MediaSource, 'camera'>, Encoding> = {
  microphone: { codecOptions: voiceOptions },
  // Silence between two sounds of a film is no pause in speech.
  screen_audio: { codecOptions: { opusStereo: true, opusFec: true, opusMaxAverageBitrate: 96_000 } },
  // A still picture sends next to nothing; `dtx` keeps the server from taking that for a loss.
  screen: {
    codecOptions: highStartBitrate,
    encodings: [{ maxBitrate: 4_000_000, dtx: true, scalabilityMode: 'L1T3' }],
  },
}

/** A camera's simulcast encodings by their number: of each the highest bitrate, smallest layer first. */
const SIMULCAST: Record<1 | 2 | 3, number[]> = {
  1: [300_000],
  2: [150_000, 700_000],
  3: [150_000, 500_000, 1_700_000],
}

/**
 * Browsers built on libwebrtc drop the encodings that they think a frame of this size is too small for
 * (`LimitSimulcastLayerCount`). They drop from the end of the list, which is where the full size is, so a camera must
 * never offer more than they keep: three from 960x540 on, two from 480x270 on.
 */
const PIXELS_OF_THREE = 960 * 540
const PIXELS_OF_TWO = 480 * 270

function simulcastLayers(camera: Sized): 1 | 2 | 3 {
  const { width = 0, height = 0 } = camera.getSettings()
  const pixels = width * height
  // As long as the size is not known, it is taken for that of most cameras.
  if (pixels === 0 || pixels >= PIXELS_OF_THREE) return 3
  return pixels >= PIXELS_OF_TWO ? 2 : 1
}

function simulcast(layers: 1 | 2 | 3): Encoding {
  return {
    codecOptions: highStartBitrate,
    encodings: SIMULCAST[layers].map((maxBitrate, layer) => ({
      scaleResolutionDownBy: 2 ** (layers - 1 - layer),
      maxBitrate,
      scalabilityMode: 'L1T3',
    })),
  }
}

/** The server takes the spatial layers of these from one encoding only, whose top layer is the full size. */
const isScalable = (codec: string) => /^video\/(VP9|AV1)$/i.test(codec)
const scalableCamera: Encoding = {
  codecOptions: highStartBitrate,
  encodings: [{ maxBitrate: 1_700_000, scalabilityMode: 'L3T3_KEY' }],
}

/** `videoCodec` is the MIME type of the codec that pictures are sent in. */
export function encodingOf(source: MediaSource, videoCodec: string, track: Sized): Encoding {
  if (source !== 'camera') return encodings[source]
  return isScalable(videoCodec) ? scalableCamera : simulcast(simulcastLayers(track))
}
