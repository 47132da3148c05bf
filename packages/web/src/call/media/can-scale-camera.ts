import { SCALABLE } from './scalable-camera.ts'

/** A large camera, as it is sent. */
const CAMERA = { width: 1280, height: 720, framerate: 30, bitrate: 1_700_000 }
/** VP9 in software takes about a core; the videos of others and the rest of the machine need some as well. */
const CORES_MIN = 8

/** The parts of the browser that are read. Only Chromium has `userAgentData`. */
export interface Machine {
  hardwareConcurrency: number
  mediaCapabilities?: Pick<MediaCapabilities, 'encodingInfo'>
  userAgentData?: { mobile: boolean }
}

let answer: Promise<boolean> | null = null

/** Whether this machine encodes a camera with spatial layers without effort. */
export const canScaleCamera = (): Promise<boolean> => {
  answer ??= canScale(navigator)
  return answer
}

/** In hardware, or in software on a computer with many cores. */
export async function canScale(machine: Machine): Promise<boolean> {
  const { hardwareConcurrency, mediaCapabilities, userAgentData } = machine
  // Firefox sends no layers within an encoding, and ignores that they are asked for.
  if (!mediaCapabilities || !userAgentData) return false
  const video = { ...CAMERA, contentType: SCALABLE, scalabilityMode: 'L3T3_KEY' }
  const info = await mediaCapabilities.encodingInfo({ type: 'webrtc', video }).catch(() => null)
  if (!info?.supported) return false
  return info.powerEfficient || (info.smooth && hardwareConcurrency >= CORES_MIN && !userAgentData.mobile)
}
