import { type FileHandle, open } from 'node:fs/promises'
import { isNoRoom } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import type { Disk } from './disk.ts'
import { encodeBlock, encodeRecord, type TrackRecord } from './records.ts'
import { writeWhole } from './write-whole.ts'

/**
 * Appends to the journal of one track, a block at each flush. While the disk has no room packets are counted
 * instead of written; everything else is kept until it can be written.
 */
export class JournalWriter {
  #records: Buffer[] = []
  #packets = 0
  #unwritten = 0
  #length = 0
  #isSynced = true
  #isClosed = false
  #turn: Promise<void> = Promise.resolve()

  #handle: FileHandle | null = null

  private constructor(
    private readonly file: string,
    private readonly disk: Disk,
  ) {}

  /**
   * A file of this name must not be there: journals of former attempts are left as they are. On a full disk it is
   * made when there is room.
   */
  static async create(file: string, disk: Disk) {
    const journal = new JournalWriter(file, disk)
    await journal.#open().catch(err => {
      if (!isNoRoom(err)) throw err
      disk.failed()
    })
    return journal
  }

  /** What comes after close() is not wanted. */
  add(record: TrackRecord) {
    if (this.#isClosed) return
    if (record.is === 'packet') {
      if (!this.disk.hasRoom) {
        this.#unwritten += 1
        return
      }
      this.#packets += 1
    }
    this.#records.push(encodeRecord(record))
  }

  /** Resolves when everything added before is in the file, or is known not to fit. Never rejects. */
  flush(intoReserve = false): Promise<void> {
    this.#turn = this.#turn.then(() => this.#write(intoReserve))
    return this.#turn
  }

  /** What was flushed survives a loss of power from here on. */
  async sync() {
    if (this.#isSynced) return
    this.#isSynced = true
    await this.#handle?.datasync().catch(() => this.disk.failed())
  }

  async close() {
    this.#isClosed = true
    // What little is kept may use the reserve.
    await this.flush(true)
    await this.sync()
    await this.#handle?.close()
  }

  async #open(): Promise<FileHandle> {
    this.#handle ??= await open(this.file, 'wx')
    return this.#handle
  }

  async #write(intoReserve: boolean) {
    if (!this.disk.hasRoom && !intoReserve) return
    if (this.#unwritten > 0) {
      const lost: TrackRecord = { is: 'unwritten', atMs: nowMs(), packets: this.#unwritten }
      this.#records.push(encodeRecord(lost))
      this.#unwritten = 0
    }
    if (this.#records.length === 0) return
    const records = this.#records
    const packets = this.#packets
    this.#records = []
    this.#packets = 0
    const block = encodeBlock(records)
    try {
      await writeWhole(await this.#open(), block, this.#length)
      this.#length += block.length
      this.#isSynced = false
    } catch {
      // The next block overwrites what there is of this one.
      this.disk.failed()
      this.#unwritten += packets
      this.#records.unshift(...records.filter(isNoPacket))
    }
  }
}

const PACKET_KIND = 1
const isNoPacket = (record: Buffer) => record[0] !== PACKET_KIND
