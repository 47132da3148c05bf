interface Source {
  read: () => number
  seen: number
}

/**
 * Grows whenever somebody may have lost access to something: a sign-in was revoked, an account deleted or changed, a
 * link replaced, a room closed. While it stays, what was checked before still holds.
 */
export class AccessVersion {
  readonly #sources: Source[] = []
  #version = 0
  #isPolled = false

  /** `read` differs from what it was before when another process may have changed the data. */
  watch(read: () => number): void {
    this.#sources.push({ read, seen: read() })
  }

  /** This process has taken access from somebody. */
  readonly bump = (): void => {
    this.#version += 1
  }

  /** Other processes are asked once in a turn of the event loop: that costs as much as a small query. */
  read(): number {
    if (!this.#isPolled) {
      this.#isPolled = true
      setImmediate(() => {
        this.#isPolled = false
      })
      for (const source of this.#sources) this.#poll(source)
    }
    return this.#version
  }

  #poll(source: Source): void {
    const now = source.read()
    if (now !== source.seen) this.bump()
    source.seen = now
  }
}
