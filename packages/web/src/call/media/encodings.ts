import type { MediaSource } from '@lectern/protocol/control/client'
import type { types } from 'mediasoup-client'

type Encoding = Pick<types.ProducerOptions, 'codecOptions' | 'encodings'>

/** A browser that has not decoded a frame yet does not know the size. The content hint of a microphone distinguishes music from speech. */
type Sent = Pick<MediaStreamTrack, 'getSettings' | 'contentHint'>

/**
 * On a slow connection browsers divide what they can send by these weights: audio before the screen, the screen before
 * the camera.
 */
const first = { priority: 'high', networkPriority: 'high' } as const
const second = { priority: 'medium', networkPriority: 'medium' } as const
const third = { priority: 'low', networkPriority: 'low' } as const

const voice: Encoding = { codecOptions: { opusDtx: true, opusFec: true }, encodings: [first] }
/** In bits per second. Opus is transparent for music from about here on. */
const MUSIC_BPS = 160_000
/** Music and films have quiet passages that DTX would cut. */
const music: Encoding = {
  codecOptions: { opusStereo: true, opusFec: true, opusDtx: false, opusMaxAverageBitrate: MUSIC_BPS },
  encodings: [first],
}
/** Without it browsers start with a tiny resolution and keep it for seconds. */
const highStartBitrate = { videoGoogleStartBitrate: 1000 }

/** Encodings of what is shared with the screen. */
const encodings: Record<'screen' | 'screen_audio', Encoding> = {
  screen_audio: {
    codecOptions: { opusStereo: true, opusFec: true, opusMaxAverageBitrate: 96_000 },
    encodings: [first],
  },
  // A static screen sends almost nothing; `dtx` keeps the server from treating that as packet loss.
  screen: {
    codecOptions: highStartBitrate,
    encodings: [{ ...second, maxBitrate: 4_000_000, dtx: true, scalabilityMode: 'L1T3' }],
  },
}

/** Maximum bitrates of a camera's simulcast layers, smallest layer first, by number of layers. */
const SIMULCAST: Record<1 | 2 | 3, number[]> = {
  1: [300_000],
  2: [150_000, 700_000],
  3: [150_000, 500_000, 1_700_000],
}

/**
 * Browsers built on libwebrtc drop encodings that they consider too large for the frame size
 * (`LimitSimulcastLayerCount`). They drop from the end of the list, which holds the full size, so a camera MUST
 * NOT offer more than they keep: three from 960x540 on, two from 480x270 on.
 */
const PIXELS_OF_THREE = 960 * 540
const PIXELS_OF_TWO = 480 * 270

function simulcastLayers(camera: Sent): 1 | 2 | 3 {
  const { width = 0, height = 0 } = camera.getSettings()
  const pixels = width * height
  // Most cameras are large enough for three layers.
  if (pixels === 0 || pixels >= PIXELS_OF_THREE) return 3
  return pixels >= PIXELS_OF_TWO ? 2 : 1
}

function simulcast(layers: 1 | 2 | 3): Encoding {
  return {
    codecOptions: highStartBitrate,
    encodings: SIMULCAST[layers].map((maxBitrate, layer) => ({
      ...third,
      scaleResolutionDownBy: 2 ** (layers - 1 - layer),
      maxBitrate,
      scalabilityMode: 'L1T3',
    })),
  }
}

/** The server takes the spatial layers of these codecs from a single encoding. */
const isScalable = (codec: string) => /^video\/(VP9|AV1)$/i.test(codec)
const scalableCamera: Encoding = {
  codecOptions: highStartBitrate,
  encodings: [{ ...third, maxBitrate: 1_700_000, scalabilityMode: 'L3T3_KEY' }],
}

/** `videoCodec` is the MIME type of the codec in use. */
export function encodingOf(source: MediaSource, videoCodec: string, track: Sent): Encoding {
  if (source === 'microphone') return track.contentHint === 'music' ? music : voice
  if (source !== 'camera') return encodings[source]
  return isScalable(videoCodec) ? scalableCamera : simulcast(simulcastLayers(track))
}
