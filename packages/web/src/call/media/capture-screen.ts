import type { CaptureScreen } from '../ports.ts'
import { knownShareProblem, readShareProblem, ShareFailure, type ShareProblem } from './share-problem.ts'

/** Music and films, as they are: what improves voices would damage them. */
const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false }

/** `systemAudio` and the fields after it are hints of Chromium: audio of a whole screen is offered, and another tab can be chosen while one is shared. */
const options = {
  video: { frameRate: { ideal: 15, max: 30 } },
  audio,
  systemAudio: 'include',
  surfaceSwitching: 'include',
}

/** The known problem that prevents sharing in this page. */
function findShareProblem(): ShareProblem | null {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature(name: string): boolean } }
  return knownShareProblem({
    supported: navigator.mediaDevices?.getDisplayMedia !== undefined,
    secure: window.isSecureContext,
    delegated: featurePolicy?.allowsFeature('display-capture') ?? true,
  })
}

/** Opens the browser's dialog. `audio` is null when the browser or the user shares none. */
export const captureScreen: CaptureScreen = async () => {
  const known = findShareProblem()
  if (known) throw new ShareFailure(known)
  const stream = await requestStream()
  const [video] = stream.getVideoTracks()
  if (!video) throw new ShareFailure('failed')
  const [sound = null] = stream.getAudioTracks()
  if (sound) sound.contentHint = 'music'
  return { video, audio: sound }
}

async function requestStream(): Promise<MediaStream> {
  const startedAt = performance.now()
  try {
    return await navigator.mediaDevices.getDisplayMedia(options)
  } catch (error) {
    const problem = readShareProblem(error, performance.now() - startedAt)
    throw problem ? new ShareFailure(problem, { cause: error }) : error
  }
}
