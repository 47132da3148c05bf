type Close = () => unknown

/** Resources that are opened together and closed together, in reverse order. */
export class Lifetime {
  readonly #onError: (error: unknown, name: string) => void
  readonly #closers: { name: string; close: Close }[] = []
  #closing: Promise<void> | null = null

  /** `onError` receives what a resource throws when it closes; without it, the error becomes an uncaught one. */
  constructor(onError: (error: unknown, name: string) => void = throwLater) {
    this.#onError = onError
  }

  /** Closes the resource with the others, or at once if they are closed already. Returns the resource. */
  adopt<T>(resource: T, close: (resource: T) => unknown, name = ''): T {
    this.defer(() => close(resource), name)
    return resource
  }

  defer(close: Close, name = ''): void {
    if (this.#closing) void this.#close(name, close)
    else this.#closers.push({ name, close })
  }

  /** Safe to call twice: both callers wait for the same end. Synchronous as far as the resources are. */
  readonly close = (): Promise<void> => {
    this.#closing ??= this.#closeAll()
    return this.#closing
  }

  async #closeAll(): Promise<void> {
    for (const { name, close } of this.#closers.splice(0).reverse()) {
      const closing = this.#close(name, close)
      if (closing) await closing
    }
  }

  /** One broken resource must not keep the others open. */
  #close(name: string, close: Close): Promise<unknown> | undefined {
    try {
      const closing = close()
      if (isThenable(closing)) return Promise.resolve(closing).catch(error => this.#onError(error, name))
    } catch (error) {
      this.#onError(error, name)
    }
    return undefined
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
