import { Refusal } from '@lectern/protocol'
import type { Clock } from '../../platform/clock.ts'
import { networksOf } from '../../platform/networks.ts'
import { RateLimiter } from '../../platform/rate-limiter.ts'
import type { NewFile } from '../ports.ts'
import type { FileStore } from '../stores/files.ts'
import {
  ACCOUNT_MAX_BYTES,
  ACCOUNT_PERIOD_MS,
  SESSION_MAX_BYTES,
  SESSION_MAX_FILES,
  UPLOADS_PER_MINUTE,
  UPLOADS_PER_MINUTE_OF_ADDRESS,
} from './limits.ts'

interface QuotasOptions {
  store: Pick<FileStore, 'usage'>
  clock: Clock
  /** Whether there are limits of requests. */
  isLimited: boolean
}

/** How many files accounts, addresses and sessions may upload. */
export class Quotas {
  readonly #parts: QuotasOptions
  readonly #ofAccounts: RateLimiter<number>
  readonly #ofAddresses: RateLimiter<string>

  constructor(parts: QuotasOptions) {
    const { clock, isLimited } = parts
    this.#parts = parts
    this.#ofAccounts = new RateLimiter(clock, UPLOADS_PER_MINUTE, 60)
    this.#ofAddresses = new RateLimiter(clock, isLimited ? UPLOADS_PER_MINUTE_OF_ADDRESS : null, 60)
  }

  /** Counts an upload that begins. Throws `rate_limited`. */
  enforceRates(userId: number, address: string): void {
    this.#ofAddresses.enforce(networksOf(address).narrow)
    this.#ofAccounts.enforce(userId)
  }

  /** Throws `file_quota_exceeded`. */
  async enforceSpace(file: NewFile): Promise<void> {
    const used = await this.enforceSpaceOfConference(file)
    if (used.accountBytes + file.size > ACCOUNT_MAX_BYTES)
      throw new Refusal('file_quota_exceeded', 'You have uploaded too much today; try again tomorrow.')
  }

  /**
   * Checks the space, without the limit of an account: a partner has one for all rooms. What others have announced and
   * not sent does not count: they would keep everybody from uploading. Returns the usage. Throws `file_quota_exceeded`.
   */
  async enforceSpaceOfConference(file: NewFile) {
    const used = await this.#usage(file)
    enforceSpace(file, {
      files: used.files + used.ownUnfinished.files,
      bytes: used.bytes + used.ownUnfinished.bytes,
    })
    return used
  }

  /** Checks a file whose bytes have arrived: others may have been faster. Throws `file_quota_exceeded`. */
  async enforceSpaceAtEnd(file: NewFile): Promise<void> {
    enforceSpace(file, await this.#usage(file))
  }

  #usage(file: NewFile) {
    const { store, clock } = this.#parts
    return store.usage(file, clock() - ACCOUNT_PERIOD_MS)
  }
}

function enforceSpace({ size, purpose }: NewFile, used: { files: number; bytes: number }): void {
  const isFull = used.files >= SESSION_MAX_FILES || used.bytes + size > SESSION_MAX_BYTES[purpose]
  if (isFull) throw new Refusal('file_quota_exceeded')
}
