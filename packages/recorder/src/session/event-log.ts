import { existsSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@lectern/protocol/control'
import { Attendance, isAboutAttendance } from './attendance.ts'
import { LogFile, type LogLine, readLog } from './log-file.ts'

/**
 * `events.jsonl`: the events of the session and who was present, in all attempts. The lines about attendance are also in
 * memory, the others on disk only: chat messages of a long session are many.
 */
export class EventLog extends LogFile {
  readonly #attendance: LogLine[]

  constructor(folder: string) {
    super(join(folder, 'events.jsonl'))
    this.#attendance = readLog(this.file, isAboutAttendance)
  }

  override add(name: string, body: JsonObject, atMs?: number): LogLine {
    const line = super.add(name, body, atMs)
    if (isAboutAttendance(line)) this.#attendance.push(line)
    return line
  }

  attendance(): Attendance {
    return new Attendance(this.#attendance)
  }

  /** Copies the log, possibly empty. */
  async copyTo(file: string): Promise<void> {
    this.write()
    await (existsSync(this.file) ? copyFile(this.file, file) : writeFile(file, ''))
  }
}
