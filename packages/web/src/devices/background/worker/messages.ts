import type { Cover } from '../choice.ts'
import type { SegmenterFiles } from './segmenter.ts'

/** The cover of the room. `own` is the user's picture; without one the room is blurred. */
export interface CoverMessage {
  is: 'cover'
  cover: Cover
  own: ImageBitmap | null
}

/** To the worker. `streams` where the browser has them; else it asks for each frame. */
export type ToWorker =
  | {
      is: 'start'
      files: SegmenterFiles
      cover: CoverMessage
      budgetMs: number
      streams: { camera: ReadableStream<VideoFrame>; output: WritableStream<VideoFrame> } | null
    }
  | CoverMessage
  | { is: 'frame'; frame: ImageBitmap | null }

/** From the worker. `ready`: there is a first frame. `failed`, `slow`, `ended` with the camera: there will be no more. */
export type FromWorker =
  | { is: 'ready' | 'slow' | 'failed' | 'ended' | 'wanted' }
  | { is: 'frame'; frame: ImageBitmap }
