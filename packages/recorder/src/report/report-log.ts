import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { LogFile, type LogLine, readLog } from '../session/log-file.ts'

const WARNINGS = new Set(['disk_full', 'failed', 'compose_failed', 'poster_failed', 'track_failed'])

/** `report.jsonl`: what happened to the recording itself, in all attempts. Also goes to the process log. */
export class ReportLog {
  readonly #file: LogFile

  constructor(
    folder: string,
    private readonly jobId: string,
    private readonly processLog: Logger,
  ) {
    this.#file = new LogFile(join(folder, 'report.jsonl'))
  }

  add(name: string, body: Record<string, unknown>): void {
    this.#file.add(name, body)
    this.processLog[WARNINGS.has(name) ? 'warn' : 'info']({ job_id: this.jobId, ...body }, name)
  }

  lines(): LogLine[] {
    return readLog(this.#file.file)
  }

  flush(): void {
    this.#file.flush()
  }

  async copyTo(file: string): Promise<void> {
    await copyFile(this.#file.file, file)
  }
}
