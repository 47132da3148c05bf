import { RemoteCounter } from './remote-counter.ts'

/**
 * How a process learns that another one may have revoked access: from a number that it reads at once, or from one that it
 * fetches from a database on another machine.
 */
export type AccessChanges =
  | { is: 'local'; read: () => number }
  | { is: 'remote'; fetch: () => Promise<number> }

interface LocalSource {
  read: () => number
  seen: number
}

/**
 * Grows whenever an account may have lost access: a sign-in was revoked, an account deleted or changed, a link replaced,
 * a room closed. Checks made at the same version are still valid.
 */
export class AccessVersion {
  readonly #locals: LocalSource[] = []
  #remote: RemoteCounter | null = null
  #version = 0
  #isPolled = false

  /** Stores of the same database have the same remote number, of which the first one is used. */
  watch(changes: AccessChanges): void {
    if (changes.is === 'local') this.#locals.push({ read: changes.read, seen: changes.read() })
    else this.#remote ??= new RemoteCounter(changes.fetch, this.bump)
  }

  /** MUST be called when this process has revoked access. */
  readonly bump = (): void => {
    this.#version += 1
  }

  /**
   * The version now: it counts what other processes have stored before this call. A promise while the database has to be
   * asked; it resolves in any case, and soon (see RemoteCounter).
   */
  readonly read = (): number | Promise<number> => {
    this.#pollLocals()
    const reading = this.#remote?.refresh()
    return reading ? reading.then(() => this.#version) : this.#version
  }

  /** Checks for changes by other processes once per turn of the event loop: it costs as much as a small query. */
  #pollLocals(): void {
    if (this.#isPolled || this.#locals.length === 0) return
    this.#isPolled = true
    setImmediate(() => {
      this.#isPolled = false
    })
    for (const source of this.#locals) {
      const now = source.read()
      if (now !== source.seen) this.bump()
      source.seen = now
    }
  }
}
