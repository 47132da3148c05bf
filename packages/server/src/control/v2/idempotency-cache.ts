import { hash } from 'node:crypto'
import { Refusal, type UserKind } from '@lectern/protocol'
import type { ControlCommand, ControlError, JsonObject } from '@lectern/protocol/control'
import type { Clock } from '../../clock.ts'
import { RETRY_WINDOW_MS, type ResultLimits, resultLimits } from '../limits/constants.ts'
import { controlError } from '../refusals.ts'

/** Names a command. `scope`: the connection, for commands that each connection executes for itself; else empty. */
export interface CommandKey {
  userId: number
  commandId: string
  fingerprint: string
  scope: string
}

/**
 * What came of a command: the text of its result after the binding, and what is remembered.
 * - result: a repetition gets the same text.
 * - id: a repetition is executed again; other content under the id stays a conflict.
 * - nothing: the command had no effect, and is as if it had never been given.
 */
export interface Answer {
  text: string
  remember: 'result' | 'id' | 'nothing'
}

interface Result {
  scope: string
  answer: Promise<Answer>
  isPending: boolean
  bytes: number
}

/** Everything remembered under one command_id of an account. */
interface Entry {
  fingerprint: string
  atMs: number
  bytes: number
  results: Result[]
}

class Account {
  /** Oldest first, both. */
  readonly entries = new Map<string, Entry>()
  readonly repeatable = new Map<string, { fingerprint: string; atMs: number }>()
  bytes = 0
}

/** Heap that an entry takes besides its texts, whose characters may take two bytes each. */
const ENTRY_BYTES = 512
const bytesOf = (text: string) => 2 * text.length
const FULL_RETRY_AFTER_MS = 5_000

/**
 * The results of mutating commands within the retry window, so that a repetition is answered and not executed
 * (rules K2 to K4). Bounded for each account and for all together; no result is dropped before its time to make
 * space for another: the new command is refused instead (rules K14 and K15).
 */
export class IdempotencyCache {
  readonly #accounts = new Map<number, Account>()
  readonly #clock: Clock
  readonly #limits: ResultLimits
  #count = 0
  #bytes = 0

  constructor(clock: Clock, limits = resultLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  get size(): { count: number; bytes: number } {
    return { count: this.#count, bytes: this.#bytes }
  }

  /** The answer that a repetition gets, `conflict` for other content, null for what is to be executed. */
  find({ userId, commandId, fingerprint, scope }: CommandKey): Promise<Answer> | 'conflict' | null {
    const account = this.#accounts.get(userId)
    const entry = account?.entries.get(commandId)
    const known = entry ?? account?.repeatable.get(commandId)
    if (!known || this.#isExpired(known)) return null
    if (known.fingerprint !== fingerprint) return 'conflict'
    return entry?.results.find(result => result.scope === scope)?.answer ?? null
  }

  /** Why the result of another command of the account cannot be remembered right now; null: it can. */
  refusal(userId: number, kind: UserKind): ControlError | null {
    const { ofPerson, ofWorker, guaranteedCount } = this.#limits
    const account = this.#accounts.get(userId)
    const share = kind === 'worker' ? ofWorker : ofPerson
    const count = account?.entries.size ?? 0
    if (account && (count >= share.count || account.bytes >= share.bytes))
      return controlError(
        new Refusal('too_many_commands', undefined, { retryAfterMs: this.#untilOldestExpires(account) }),
      )
    if (this.#fill < 1 || (this.#fill < 2 && count < guaranteedCount)) return null
    return controlError(new Refusal('results_full', undefined, { retryAfterMs: FULL_RETRY_AFTER_MS }))
  }

  /** `reservedBytes` are counted until the size of the answer, which never rejects, is known. */
  remember(key: CommandKey, answer: Promise<Answer>, reservedBytes: number): void {
    const account = this.#accountOf(key.userId)
    const known = account.entries.get(key.commandId)
    if (known) this.#remove(account, key.commandId, known)
    const others = known && !this.#isExpired(known) ? known.results : []
    const result: Result = { scope: key.scope, answer, isPending: true, bytes: reservedBytes }
    const results = [...others.filter(({ scope }) => scope !== key.scope), result]
    const entry = { fingerprint: key.fingerprint, atMs: this.#clock(), bytes: 0, results }
    account.entries.set(key.commandId, entry)
    this.#count += 1
    this.#measure(account, key.commandId, entry)
    void answer.then(settled => this.#settle(account, key.commandId, result, settled))
  }

  /** For a command that may be executed any number of times: its result is not kept, and only the newest ids. */
  rememberId({ userId, commandId, fingerprint }: CommandKey): void {
    if (this.#fill >= 1) return
    const account = this.#accountOf(userId)
    this.#removeId(account, commandId)
    account.repeatable.set(commandId, { fingerprint, atMs: this.#clock() })
    this.#addBytes(account, ENTRY_BYTES)
    if (account.repeatable.size > this.#limits.repeatableCount) this.#removeId(account)
  }

  /** Drops what is older than the retry window. MUST be called about every second. */
  tick(): void {
    for (const [userId, account] of this.#accounts) {
      for (const [commandId, entry] of account.entries) {
        if (!this.#isOld(entry)) break
        if (this.#isExpired(entry)) this.#remove(account, commandId, entry)
      }
      for (const entry of account.repeatable.values()) {
        if (!this.#isOld(entry)) break
        this.#removeId(account)
      }
      if (account.entries.size === 0 && account.repeatable.size === 0) this.#accounts.delete(userId)
    }
  }

  #settle(account: Account, commandId: string, result: Result, { text, remember }: Answer): void {
    const entry = account.entries.get(commandId)
    if (!entry?.results.includes(result)) return
    result.isPending = false
    result.bytes = bytesOf(text)
    if (remember !== 'result') entry.results = entry.results.filter(each => each !== result)
    if (remember === 'nothing' && entry.results.length === 0) this.#remove(account, commandId, entry)
    else this.#measure(account, commandId, entry)
  }

  /** 1: all together hold as much as they should. */
  get #fill(): number {
    const { ofAll } = this.#limits
    return Math.max(this.#count / ofAll.count, this.#bytes / ofAll.bytes)
  }

  #isOld = ({ atMs }: { atMs: number }) => this.#clock() - atMs > RETRY_WINDOW_MS

  /** What is still in progress is remembered for as long as that takes. */
  #isExpired(entry: { atMs: number; results?: Result[] }): boolean {
    return this.#isOld(entry) && !entry.results?.some(({ isPending }) => isPending)
  }

  #untilOldestExpires({ entries }: Account): number {
    const oldest = entries.values().next().value?.atMs ?? 0
    return Math.max(1_000, oldest + RETRY_WINDOW_MS - this.#clock())
  }

  #accountOf(userId: number): Account {
    const account = this.#accounts.get(userId) ?? new Account()
    this.#accounts.set(userId, account)
    return account
  }

  #measure(account: Account, commandId: string, entry: Entry): void {
    const results = entry.results.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#resize(account, entry, ENTRY_BYTES + bytesOf(commandId) + results)
  }

  #remove(account: Account, commandId: string, entry: Entry): void {
    account.entries.delete(commandId)
    this.#count -= 1
    this.#resize(account, entry, 0)
  }

  #resize(account: Account, entry: Entry, bytes: number): void {
    this.#addBytes(account, bytes - entry.bytes)
    entry.bytes = bytes
  }

  /** The oldest, unless another is named. */
  #removeId(account: Account, commandId = account.repeatable.keys().next().value): void {
    if (commandId !== undefined && account.repeatable.delete(commandId)) this.#addBytes(account, -ENTRY_BYTES)
  }

  #addBytes(account: Account, bytes: number): void {
    account.bytes += bytes
    this.#bytes += bytes
  }
}

/** Equal for the same command with its keys in any order. `ttl_ms` is no part of it (rule K3). */
export function fingerprintOf({ target, name, body, expected_version }: ControlCommand): string {
  return hash('sha256', canonical([target, name, body, expected_version ?? null]), 'base64')
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const object = value as JsonObject
  const fields = Object.keys(object).sort()
  return `{${fields.map(key => `${JSON.stringify(key)}:${canonical(object[key])}`).join(',')}}`
}
