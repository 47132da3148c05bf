import { existsSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@lectern/protocol/control'
import { Attendance, isAboutAttendance } from './attendance.ts'
import { type Dropped, LogFile } from './log-file.ts'
import type { LogLine } from './log-reader.ts'
import { linesOf } from './log-reader.ts'

/**
 * `events.jsonl`: the events of the session and who was present, in all attempts. Memory holds what follows from the lines
 * about attendance, and no line: the events of a long session are many.
 */
export class EventLog extends LogFile {
  readonly attendance = new Attendance()

  constructor(folder: string, onDropped?: (dropped: Dropped) => void) {
    super(join(folder, 'events.jsonl'), onDropped)
    for (const line of linesOf(this.file)) this.attendance.add(line)
  }

  override add(name: string, body: JsonObject, atMs?: number): LogLine {
    const line = super.add(name, body, atMs)
    this.attendance.add(line)
    return line
  }

  /** Copies the log, possibly empty. */
  async copyTo(file: string): Promise<void> {
    this.write()
    await (existsSync(this.file) ? copyFile(this.file, file) : writeFile(file, ''))
  }

  /** The next attempt cannot derive attendance from anything else. */
  protected override isEssential(line: LogLine): boolean {
    return isAboutAttendance(line)
  }
}
