import type { MediaCodec, MediaSource } from '@lectern/protocol/control'
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
export const CODECS: Record<MediaCodec, RouterRtpCodecCapability> = {
  opus: {
    kind: 'audio',
    mimeType: 'audio/opus',
    clockRate: 48_000,
    channels: 2,
    parameters: { useinbandfec: 1, usedtx: 1 },
  },
  vp8: { kind: 'video', mimeType: 'video/VP8', clockRate: VIDEO_CLOCK },
  vp9: { kind: 'video', mimeType: 'video/VP9', clockRate: VIDEO_CLOCK, parameters: { 'profile-id': 0 } },
  h264_42e01f: h264('42e01f'), // constrained baseline
  h264_42001f: h264('42001f'), // baseline
  av1: { kind: 'video', mimeType: 'video/AV1', clockRate: VIDEO_CLOCK },
}

const kinds: Record<MediaSource, MediaKind> = {
  microphone: 'audio',
  camera: 'video',
  screen: 'video',
  screen_audio: 'audio',
}

export const kindOf = (source: MediaSource): MediaKind => kinds[source]
