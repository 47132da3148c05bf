import { type FileHandle, open } from 'node:fs/promises'
import { isDiskFull } from '@lectern/worker-kit'
import { nowMs } from '../clock/now.ts'
import type { DiskSpace } from './disk-space.ts'
import { encodeBlock, encodeRecord, type TrackRecord } from './records.ts'
import { writeFully } from './write-fully.ts'

/**
 * Appends to the journal of one track, one block per flush. While the disk is full, packets are counted instead of written;
 * all other records are buffered until they can be written.
 */
export class JournalWriter {
  #records: Buffer[] = []
  #packets = 0
  #unwritten = 0
  #length = 0
  #isSynced = true
  #isClosed = false
  #pendingWrite: Promise<void> = Promise.resolve()

  #handle: FileHandle | null = null
  readonly #file: string
  readonly #disk: DiskSpace

  private constructor(file: string, disk: DiskSpace) {
    this.#file = file
    this.#disk = disk
  }

  /**
   * The file must not exist: journals of earlier attempts are immutable. On a full disk it is created once there is
   * space.
   */
  static async create(file: string, disk: DiskSpace) {
    const journal = new JournalWriter(file, disk)
    await journal.#open().catch(err => {
      if (!isDiskFull(err)) throw err
      disk.writeFailed()
    })
    return journal
  }

  /** Ignored after close(). */
  add(record: TrackRecord) {
    if (this.#isClosed) return
    if (record.is === 'packet') {
      if (!this.#disk.hasSpace) {
        this.#unwritten += 1
        return
      }
      this.#packets += 1
    }
    this.#records.push(encodeRecord(record))
  }

  /** Resolves when everything added before is written, or could not be. Never rejects. */
  flush(intoReserve = false): Promise<void> {
    this.#pendingWrite = this.#pendingWrite.then(() => this.#write(intoReserve))
    return this.#pendingWrite
  }

  /** Syncs flushed data to the disk, so that it survives a power failure. */
  async sync() {
    if (this.#isSynced) return
    this.#isSynced = true
    await this.#handle?.datasync().catch(() => this.#disk.writeFailed())
  }

  async close() {
    this.#isClosed = true
    // The few buffered records may use the reserve.
    await this.flush(true)
    await this.sync()
    const handle = this.#handle
    this.#handle = null // nothing to sync any more
    await handle?.close()
  }

  async #open(): Promise<FileHandle> {
    this.#handle ??= await open(this.#file, 'wx')
    return this.#handle
  }

  async #write(intoReserve: boolean) {
    if (!this.#disk.hasSpace && !intoReserve) return
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
      await writeFully(await this.#open(), block, this.#length)
      this.#length += block.length
      this.#isSynced = false
    } catch {
      // The next block overwrites this partial one.
      this.#disk.writeFailed()
      this.#unwritten += packets
      this.#records.unshift(...records.filter(isNoPacket))
    }
  }
}

const PACKET_KIND = 1
const isNoPacket = (record: Buffer) => record[0] !== PACKET_KIND
