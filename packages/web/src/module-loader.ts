/** Between attempts while the server cannot be reached. */
const RETRY_MS = 2_000

interface ModuleLoaderOptions<T> {
  load: () => Promise<T>
  /** Whether the server that the page came from answers. */
  isServerReachable: () => Promise<boolean>
  /** Whether loading the page again is worth a try, and has not been tried just now. */
  canReload: () => boolean
  reload: () => void
  wait?: (ms: number) => Promise<void>
}

/**
 * Loads a part of the page's code, also over a bad network and after the server was upgraded, when the files that
 * this page knows are gone.
 */
export class ModuleLoader<T> {
  readonly #parts: ModuleLoaderOptions<T>
  #module: Promise<T> | null = null

  constructor(parts: ModuleLoaderOptions<T>) {
    this.#parts = parts
  }

  /** A failure is reported by the `load()` that needs the module. */
  readonly preload = (): void => {
    this.#load().catch(() => {})
  }

  /**
   * Waits for the network if it must. Reloads the page where only a newer page can help; then it never settles.
   * Rejects when that has not helped, or with the reason of the signal.
   */
  async load(signal: AbortSignal): Promise<T> {
    const { isServerReachable, canReload, reload, wait = sleep } = this.#parts
    for (;;) {
      try {
        return await this.#load()
      } catch (cause) {
        signal.throwIfAborted()
        const isReachable = await isServerReachable()
        signal.throwIfAborted()
        if (isReachable && !canReload()) throw cause
        if (isReachable) {
          reload()
          return new Promise(() => {})
        }
        await wait(RETRY_MS)
        signal.throwIfAborted()
      }
    }
  }

  #load(): Promise<T> {
    this.#module ??= this.#parts.load().catch(cause => {
      this.#module = null
      throw cause
    })
    return this.#module
  }
}

const sleep = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
