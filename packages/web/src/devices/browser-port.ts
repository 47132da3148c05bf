import {
  type AudioProcessing,
  type Device,
  DeviceFailure,
  type DeviceKind,
  type DevicePort,
  type InputKind,
  type RequestedDevices,
} from './port.ts'
import { readProblem } from './problem.ts'

const kinds: Record<MediaDeviceKind, DeviceKind> = {
  videoinput: 'camera',
  audioinput: 'microphone',
  audiooutput: 'speaker',
}

const video = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } }
const uprightVideo = { ...video, width: video.height, height: video.width }

/** The devices of this browser. `mediaDevices` is missing in insecure contexts. */
export const browserDevices: DevicePort = {
  async open(requested, audio) {
    try {
      const stream = await navigator.mediaDevices.getUserMedia(constraintsOf(requested, audio))
      await Promise.all(stream.getVideoTracks().map(uncropped))
      return stream.getTracks()
    } catch (error) {
      const delegated = (Object.keys(requested) as InputKind[]).every(isDelegated)
      const problem = readProblem(error, { secure: window.isSecureContext, delegated })
      throw new DeviceFailure(problem, { cause: error })
    }
  },

  async list() {
    const found = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? []
    return found.flatMap<Device>(({ kind, deviceId: id, label }) =>
      // Windows lists its default device for calls a second time.
      id === '' || id === 'communications' ? [] : [{ kind: kinds[kind], id, label }],
    )
  },

  async permission(kind) {
    if (!isDelegated(kind)) return 'denied'
    return (await query(kind))?.state ?? 'unknown'
  },

  onChange(listener) {
    const stop = new AbortController()
    const { signal } = stop
    navigator.mediaDevices?.addEventListener('devicechange', listener, { signal })
    const seen = () => document.visibilityState === 'visible' && listener()
    document.addEventListener('visibilitychange', seen, { signal })
    for (const kind of ['camera', 'microphone'] as const)
      void query(kind).then(status => status?.addEventListener('change', listener, { signal }))
    return () => stop.abort()
  },
}

function constraintsOf(
  { camera, microphone }: RequestedDevices,
  audio: AudioProcessing,
): MediaStreamConstraints {
  const exactly = (id: string | null) => (id === null ? {} : { deviceId: { exact: id } })
  return {
    ...(camera !== undefined && { video: { ...video, ...exactly(camera) } }),
    ...(microphone !== undefined && { audio: { ...audio, ...exactly(microphone) } }),
  }
}

/** Chromium crops to the requested aspect ratio: an upright camera would lose half of its frame. */
async function uncropped(camera: MediaStreamTrack): Promise<void> {
  const { width, height } = camera.getCapabilities?.() ?? {}
  if ((height?.max ?? 0) > (width?.max ?? 0)) await camera.applyConstraints(uprightVideo).catch(() => {})
}

/** Null where the browser does not support the query. */
async function query(kind: InputKind): Promise<PermissionStatus | null> {
  try {
    return await navigator.permissions.query({ name: kind as PermissionName })
  } catch {
    return null
  }
}

/** Only Chromium reports it; in other browsers a frame without permission looks like a refusal. */
function isDelegated(kind: InputKind): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } }
  return featurePolicy?.allowsFeature(kind) ?? true
}
