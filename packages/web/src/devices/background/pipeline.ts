import { withTimeout } from '@lectern/common'
import model from '@twilio/video-processors/dist/build/selfie_segmentation_landscape.tflite?url'
import wasm from '@twilio/video-processors/dist/build/tflite-simd-1-0-0.wasm?url'
import type { Cover } from './choice.ts'
import type { EffectProblem, RunningEffect } from './effect.ts'
import { loadOwnPicture } from './own-picture.ts'
import { openRoute } from './routes.ts'
import type { CoverMessage, FromWorker, ToWorker } from './worker/messages.ts'
import type { SegmenterFiles } from './worker/segmenter.ts'

/** Usually it takes less than two seconds; a slow line has 0.7 MB to load. */
const READY_WITHIN_MS = 15_000

export interface PipelineOptions {
  /** How long a frame may take before fewer are processed. */
  budgetMs: number
  openRoute?: typeof openRoute
}

/** Processes the frames of a camera in a worker of its own. */
export async function startPipeline(
  device: MediaStreamTrack,
  cover: Cover,
  onProblem: (problem: EffectProblem) => void,
  { budgetMs, openRoute: open = openRoute }: PipelineOptions,
): Promise<RunningEffect> {
  const worker = new Worker(new URL('./worker/worker.ts', import.meta.url), { type: 'module' })
  const send = (message: ToWorker, transferred: Transferable[] = []) =>
    worker.postMessage(message, transferred)
  const route = open(device, send)
  const stop = () => {
    worker.terminate()
    route.close()
    MediaStreamTrack.prototype.stop.call(route.track)
  }
  try {
    const ready = new Promise<void>((resolve, reject) => {
      const failed = (problem: EffectProblem) => {
        stop()
        reject(new Error(problem))
        onProblem(problem)
      }
      worker.onerror = () => failed('background_failed')
      worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        route.onMessage(data)
        if (data.is === 'ended' || device.readyState === 'ended') {
          stop()
          reject(new Error('ended'))
        }
        if (data.is === 'ready') resolve()
        if (data.is === 'failed' || data.is === 'slow') failed(`background_${data.is}`)
      }
    })
    ready.catch(() => {}) // it may fail while the files load
    const starting = async () => {
      const [files, first] = await Promise.all([loadFiles(), messageOf(cover)])
      const { streams } = route
      const transferred = streams ? [streams.camera, streams.output] : []
      send({ is: 'start', files, cover: first, budgetMs, streams }, transferred)
      await ready
    }
    await withTimeout(starting(), READY_WITHIN_MS, () => new Error('slow'))
  } catch (error) {
    stop()
    throw error
  }
  let wanted = cover
  return {
    track: asCamera(route.track, device, stop),
    async change(next) {
      wanted = next
      const message = await messageOf(next)
      if (wanted === next) send(message)
    },
  }
}

/** Compiled here: the policy of the page permits it, and the policy of the worker's script permits nothing. */
export async function loadFiles(): Promise<SegmenterFiles> {
  const [module, response] = await Promise.all([WebAssembly.compileStreaming(fetch(wasm)), fetch(model)])
  if (!response.ok) throw new Error('no model')
  return { module, model: await response.arrayBuffer() }
}

const messageOf = async (cover: Cover): Promise<CoverMessage> => ({
  is: 'cover',
  cover,
  own: cover === 'own' ? await loadOwnPicture() : null,
})

/** Encodings follow the size of the camera, and the preview the direction that it points to, which only the device knows. */
function asCamera(track: MediaStreamTrack, device: MediaStreamTrack, stop: () => void): MediaStreamTrack {
  return Object.defineProperties(track, {
    getSettings: { value: () => device.getSettings() },
    stop: { value: stop },
  })
}
