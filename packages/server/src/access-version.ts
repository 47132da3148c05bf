interface Source {
  read: () => number
  seen: number
}

/**
 * Grows whenever an account may have lost access: a sign-in was revoked, an account deleted or changed, a link replaced,
 * a room closed. Checks made at the same version are still valid.
 */
export class AccessVersion {
  readonly #sources: Source[] = []
  #version = 0
  #isPolled = false

  /** `read` returns another value when another process may have changed the data. */
  watch(read: () => number): void {
    this.#sources.push({ read, seen: read() })
  }

  /** MUST be called when this process has revoked access. */
  readonly bump = (): void => {
    this.#version += 1
  }

  /** Checks for changes by other processes once per turn of the event loop: it costs as much as a small query. */
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
