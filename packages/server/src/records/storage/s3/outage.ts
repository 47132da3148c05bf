import type { Logger } from 'pino'
import type { S3Failure } from './failure.ts'

/** Logs once when the object storage begins to fail or fails for another reason, and when it works again. */
export class Outage {
  readonly #log: Pick<Logger, 'error' | 'info'>
  #reason: string | null = null
  failures = 0

  constructor(log: Pick<Logger, 'error' | 'info'>) {
    this.#log = log
  }

  failed({ message }: S3Failure): void {
    this.failures++
    if (this.#reason === message) return
    this.#reason = message
    this.#log.error(
      { reason: message },
      'object storage unavailable: uploads and downloads are refused, and recorders keep their files, until it answers',
    )
  }

  worked(): void {
    if (this.#reason !== null) this.#log.info('object storage available again')
    this.#reason = null
  }
}
