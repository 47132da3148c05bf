import type { MediaSource } from '@lectern/protocol/control'
import type { MediaKind, RouterRtpCodecCapability } from 'mediasoup/types'

const VIDEO_CLOCK = 90_000

const h264 = (profileLevelId: string): RouterRtpCodecCapability => ({
  kind: 'video',
  mimeType: 'video/H264',
  clockRate: VIDEO_CLOCK,
  parameters: {
    'packetization-mode': 1,
    'profile-level-id': profileLevelId,
    'level-asymmetry-allowed': 1,
  },
})

/** The codecs of every router, in order of preference. mediasoup adds NACK, PLI and transport-cc. */
export const CODECS: RouterRtpCodecCapability[] = [
  {
    kind: 'audio',
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    parameters: { useinbandfec: 1, usedtx: 1 },
  },
  { kind: 'video', mimeType: 'video/VP8', clockRate: VIDEO_CLOCK },
  { kind: 'video', mimeType: 'video/VP9', clockRate: VIDEO_CLOCK, parameters: { 'profile-id': 0 } },
  h264('42e01f'), // constrained baseline
  h264('42001f'), // baseline
  { kind: 'video', mimeType: 'video/AV1', clockRate: VIDEO_CLOCK },
]

const kinds: Record<MediaSource, MediaKind> = {
  microphone: 'audio',
  camera: 'video',
  screen: 'video',
  screen_audio: 'audio',
}

export const kindOf = (source: MediaSource): MediaKind => kinds[source]
