import { hash } from 'node:crypto'
import { Refusal, type UserKind } from '@lectern/protocol'
import type { ControlCommand, ControlError, JsonObject } from '@lectern/protocol/control'
import type { Clock } from '../../platform/clock.ts'
import { RETRY_WINDOW_MS, type ResultLimits } from '../limits/constants.ts'
import { controlError } from '../refusals.ts'
import { encodeResult } from './envelopes.ts'

/** Names a command. `scope`: the connection, for commands that each connection executes for itself; else empty. */
export interface CommandKey {
  userId: number
  commandId: string
  /** The result of fingerprintOf. */
  fingerprint: string
  scope: string
}

/**
 * The outcome of a command: the text of its result after the binding, and what is remembered.
 * - result: a repetition gets the same text.
 * - id: a repetition is executed again; other content under the id stays a conflict.
 * - nothing: the command had no effect, and is as if it had never been given.
 */
export interface Answer {
  text: string
  remember: 'result' | 'id' | 'nothing'
}

/** Entries are removed together with their whole minute: up to so long after the retry window. */
export const GENERATION_MS = 60_000
const FULL_RETRY_AFTER_MS = 5_000
/** 96 bits, as a short string of one byte per character. */
const KEY_LENGTH = 12
/**
 * Characters of the fingerprint of a command of the own account: 56 bits. With the mark of a plain result, the string
 * has eight characters.
 */
const FINGERPRINT_LENGTH = 7
/** Heap that an entry takes, measured; one with a text takes more, and its text. */
export const ENTRY_BYTES = 90
const TEXT_ENTRY_BYTES = 150

/** The entries of one minute. */
class Generation {
  /** By the key of the command: its fingerprint, and what is answered, if anything is. */
  readonly entries = new Map<string, string>()
  /** The fingerprints of commands that are executed again. */
  readonly repeatable = new Map<string, string>()
  readonly bytesOf = new Map<number, number>()
  readonly startedAtMs: number
  lastAtMs: number

  constructor(atMs: number) {
    this.startedAtMs = atMs
    this.lastAtMs = atMs
  }
}

interface Running {
  fingerprint: string
  /** By scope. */
  answers: Map<string, Promise<Answer>>
}

/**
 * The results of commands within the retry window, so that a repetition is answered and not executed (rules K2 to K4).
 * Bounded in bytes for each account and for all together; no result is dropped before its time to make space for another:
 * the new command is refused instead (rules K14 and K15). A result that says no more than that the command is done takes
 * two short strings, for there may be hundreds of thousands (decision 104).
 */
export class IdempotencyCache {
  readonly #clock: Clock
  readonly #limits: ResultLimits
  readonly #running = new Map<string, Running>()
  /** Newest first. */
  #generations: [Generation, ...Generation[]]
  #bytes = 0

  constructor(clock: Clock, limits: ResultLimits) {
    this.#clock = clock
    this.#limits = limits
    this.#generations = [new Generation(clock())]
  }

  get size(): { count: number; bytes: number } {
    const count = this.#generations.reduce((sum, { entries }) => sum + entries.size, 0)
    return { count, bytes: this.#bytes }
  }

  /** The answer that a repetition gets, `conflict` for other content, null for what is to be executed. */
  find({ userId, commandId, fingerprint, scope }: CommandKey): Promise<Answer> | 'conflict' | null {
    const key = keyOf(userId, commandId)
    const running = this.#running.get(key)
    const known = running?.fingerprint ?? this.#lookUp(key)?.slice(0, FINGERPRINT_LENGTH)
    if (known === undefined) return null
    if (known !== fingerprint) return 'conflict'
    const inProgress = running?.answers.get(scope)
    if (inProgress) return inProgress
    const result = this.#lookUp(keyOf(userId, commandId, scope))?.slice(FINGERPRINT_LENGTH)
    return result ? Promise.resolve({ text: expand(commandId, result), remember: 'result' }) : null
  }

  /** Why the result of another command of the account cannot be remembered right now; null: it can. */
  refusal(userId: number, kind: UserKind): ControlError | null {
    const { ofPerson, ofWorker, ofAll, guaranteed } = this.#limits
    const holding = this.#generations.filter(({ bytesOf }) => bytesOf.has(userId))
    const bytes = holding.reduce((sum, { bytesOf }) => sum + (bytesOf.get(userId) ?? 0), 0)
    const oldest = holding.at(-1)
    if (oldest && bytes >= (kind === 'worker' ? ofWorker : ofPerson)) {
      const retryAfterMs = Math.max(1_000, oldest.lastAtMs + RETRY_WINDOW_MS + 1 - this.#clock())
      return controlError(new Refusal('too_many_commands', undefined, { retryAfterMs }))
    }
    if (this.#bytes < ofAll || (this.#bytes < 2 * ofAll && bytes < guaranteed)) return null
    return controlError(new Refusal('results_full', undefined, { retryAfterMs: FULL_RETRY_AFTER_MS }))
  }

  /** `answer` never rejects. While the command is in progress, a repetition waits for the same answer. */
  remember(command: CommandKey, answer: Promise<Answer>): void {
    const key = keyOf(command.userId, command.commandId)
    const { fingerprint } = command
    const running = this.#running.get(key) ?? { fingerprint, answers: new Map() }
    this.#running.set(key, running)
    running.answers.set(command.scope, answer)
    void answer.then(settled => {
      running.answers.delete(command.scope)
      if (running.answers.size === 0) this.#running.delete(key)
      this.#store(command, settled)
    })
  }

  /** Remembers a command that may be executed any number of times: the newest ids only, and no result. */
  rememberId({ userId, commandId, fingerprint }: CommandKey): void {
    const [generation] = this.#generations
    const { repeatable } = generation
    repeatable.set(keyOf(userId, commandId), fingerprint)
    generation.lastAtMs = this.#clock()
    const [oldest] = repeatable.keys()
    if (repeatable.size > this.#limits.repeatableIds && oldest !== undefined) repeatable.delete(oldest)
  }

  /** Forgets what is older than the retry window. MUST be called about every second. */
  tick(): void {
    const now = this.#clock()
    const [newest] = this.#generations
    const kept = this.#generations.filter(({ lastAtMs }) => now - lastAtMs <= RETRY_WINDOW_MS)
    const isComplete = kept.length === this.#generations.length
    if (isComplete && now - newest.startedAtMs < GENERATION_MS) return
    this.#generations = [new Generation(now), ...kept]
    this.#bytes = kept.flatMap(({ bytesOf }) => [...bytesOf.values()]).reduce((sum, bytes) => sum + bytes, 0)
  }

  #lookUp(key: string): string | undefined {
    for (const { entries, repeatable } of this.#generations) {
      const known = entries.get(key) ?? repeatable.get(key)
      if (known !== undefined) return known
    }
    return undefined
  }

  #store({ userId, commandId, fingerprint, scope }: CommandKey, { text, remember }: Answer): void {
    if (remember === 'nothing') return
    const result = remember === 'result' ? shorten(commandId, text) : ''
    if (scope !== '') this.#put(userId, keyOf(userId, commandId), fingerprint)
    this.#put(userId, keyOf(userId, commandId, scope), fingerprint + result)
  }

  #put(userId: number, key: string, value: string): void {
    const [generation] = this.#generations
    const { entries, bytesOf } = generation
    const bytes = bytesOfEntry(value) - bytesOfEntry(entries.get(key))
    entries.set(key, value)
    generation.lastAtMs = this.#clock()
    bytesOf.set(userId, (bytesOf.get(userId) ?? 0) + bytes)
    this.#bytes += bytes
  }
}

/** Equal for the same command with its keys in any order. `ttl_ms` is no part of it (rule K3). */
export function fingerprintOf({ target, name, body, expected_version }: ControlCommand): string {
  return digest(canonical([target, name, body, expected_version ?? null])).slice(0, FINGERPRINT_LENGTH)
}

const digest = (text: string): string => hash('sha256', text, 'binary')
const keyOf = (userId: number, commandId: string, scope = ''): string =>
  digest(`${userId} ${scope} ${commandId}`).slice(0, KEY_LENGTH)

const MARKS: Readonly<Record<string, 'applied' | 'committed'>> = { a: 'applied', c: 'committed' }

/** A mark for a result that has nothing but a status. */
function shorten(commandId: string, text: string): string {
  const [mark] = Object.entries(MARKS).find(([, status]) => text === encodeResult(commandId, status)) ?? []
  return mark ?? text
}

function expand(commandId: string, result: string): string {
  const status = MARKS[result]
  return status ? encodeResult(commandId, status) : result
}

/** Characters of other alphabets take two bytes each, as do all others beside them. */
function bytesOfEntry(value: string | undefined): number {
  if (value === undefined) return 0
  if (value.length <= FINGERPRINT_LENGTH + 1) return ENTRY_BYTES
  const text = value.slice(FINGERPRINT_LENGTH)
  const isAscii = Buffer.byteLength(text) === text.length
  return TEXT_ENTRY_BYTES + (isAscii ? text.length : 2 * text.length)
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const object = value as JsonObject
  const fields = Object.keys(object).sort()
  return `{${fields.map(key => `${JSON.stringify(key)}:${canonical(object[key])}`).join(',')}}`
}
