import type { MediaSource } from '@lectern/protocol/control/client'
import type { types } from 'mediasoup-client'

type Encoding = Pick<types.ProducerOptions, 'codecOptions' | 'encodings'>

const voice = { opusDtx: true, opusFec: true }
/** Without it a browser begins with a picture that is far too small, and stays there for seconds. */
const soonSharp = { videoGoogleStartBitrate: 1000 }

/** How each source is encoded, in most codecs. */
const encodings: Record<MediaSource, Encoding> = {
  microphone: { codecOptions: voice },
  // Silence between two sounds of a film is no pause in speech.
  screen_audio: { codecOptions: { opusStereo: true, opusFec: true, opusMaxAverageBitrate: 96_000 } },
  camera: {
    codecOptions: soonSharp,
    encodings: [
      { scaleResolutionDownBy: 4, maxBitrate: 150_000, scalabilityMode: 'L1T3' },
      { scaleResolutionDownBy: 2, maxBitrate: 500_000, scalabilityMode: 'L1T3' },
      { scaleResolutionDownBy: 1, maxBitrate: 1_700_000, scalabilityMode: 'L1T3' },
    ],
  },
  // A still picture sends next to nothing; `dtx` keeps the server from taking that for a loss.
  screen: {
    codecOptions: soonSharp,
    encodings: [{ maxBitrate: 4_000_000, dtx: true, scalabilityMode: 'L1T3' }],
  },
}

/** The server takes the spatial layers of these from one encoding only. */
const isScalable = (codec: string) => /^video\/(VP9|AV1)$/i.test(codec)
const scalableCamera: Encoding = {
  codecOptions: soonSharp,
  encodings: [{ maxBitrate: 1_700_000, scalabilityMode: 'L3T3_KEY' }],
}

/** `videoCodec` is the MIME type of the codec that pictures are sent in. */
export const encodingOf = (source: MediaSource, videoCodec: string): Encoding =>
  source === 'camera' && isScalable(videoCodec) ? scalableCamera : encodings[source]
