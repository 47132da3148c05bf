import type { Logger } from 'pino'
import type { Ffmpeg } from './compose/ffmpeg.ts'

/** What a recorder is told once, for all its jobs. */
export interface RecorderOptions {
  ffmpeg: Ffmpeg
  log: Logger
  /** Bytes of the disk that capture leaves free. */
  reserveBytes: number
  version: string
}
