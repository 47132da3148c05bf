import { depacketizeAv1 } from './av1.ts'
import type { Depacketize } from './frame.ts'
import { depacketizeH264 } from './h264.ts'
import { depacketizeVp8 } from './vp8.ts'
import { depacketizeVp9 } from './vp9.ts'

/** FourCC in IVF files. */
type FourCc = 'VP80' | 'VP90' | 'H264' | 'AV01'

interface VideoCodec {
  name: string
  fourCc: FourCc
  depacketize: Depacketize
  /** The decoder of ffmpeg, if the default one does not do. */
  decoder?: string
}

/** The supported video codecs by lower-case MIME type. */
const codecs: Record<string, VideoCodec> = {
  'video/vp8': { name: 'vp8', fourCc: 'VP80', depacketize: depacketizeVp8 },
  // ffmpeg's own decoder returns each spatial layer of a frame as a frame.
  'video/vp9': { name: 'vp9', fourCc: 'VP90', depacketize: depacketizeVp9, decoder: 'libvpx-vp9' },
  'video/h264': { name: 'h264', fourCc: 'H264', depacketize: depacketizeH264 },
  'video/av1': { name: 'av1', fourCc: 'AV01', depacketize: depacketizeAv1 },
}

/** Undefined for unsupported codecs. */
export const videoCodec = (mimeType: string) => codecs[mimeType.toLowerCase()]
