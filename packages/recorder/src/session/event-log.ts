import { existsSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Attendance } from './attendance.ts'
import { LogFile, readLog } from './log-file.ts'

/** `events.jsonl`: the events of the session and who was present, in all attempts. */
export class EventLog extends LogFile {
  constructor(folder: string) {
    super(join(folder, 'events.jsonl'))
  }

  attendance(): Attendance {
    return new Attendance(readLog(this.file))
  }

  /** Copies the log, possibly empty. */
  async copyTo(file: string): Promise<void> {
    this.write()
    await (existsSync(this.file) ? copyFile(this.file, file) : writeFile(file, ''))
  }
}
