import type { Logger } from 'pino'
import type { Ffmpeg } from './compose/ffmpeg.ts'

/** Options of a recorder process. */
export interface RecorderOptions {
  ffmpeg: Ffmpeg
  log: Logger
  /** Disk space that capture leaves free. */
  reserveBytes: number
  version: string
}
