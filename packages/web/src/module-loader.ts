import { sleep } from '@lectern/common'

/** Between attempts while the server cannot be reached. */
const RETRY_MS = 2_000

interface ModuleLoaderOptions<T> {
  load: () => Promise<T>
  /** Whether the server of this page responds. */
  isServerReachable: () => Promise<boolean>
  /** Whether reloading the page may help, and was not just tried. */
  canReload: () => boolean
  reload: () => void
  wait?: (ms: number) => Promise<void>
}

/**
 * Loads a part of the page's code, also over a bad network, and after a server upgrade that removed the files of
 * this page.
 */
export class ModuleLoader<T> {
  readonly #options: ModuleLoaderOptions<T>
  #module: Promise<T> | null = null
  #loaded: T | null = null

  constructor(options: ModuleLoaderOptions<T>) {
    this.#options = options
  }

  /** Null until it has been loaded. */
  get loaded(): T | null {
    return this.#loaded
  }

  /** Null: it does not load, which the `load()` that needs the module reports. */
  readonly preload = (): Promise<T | null> => this.#load().catch(() => null)

  /**
   * Waits for the network if necessary. Reloads the page where only a newer page can help; then it never settles.
   * Rejects when reloading has not helped, or with the signal's reason.
   */
  async load(signal: AbortSignal): Promise<T> {
    const { isServerReachable, canReload, reload, wait = sleep } = this.#options
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
    this.#module ??= this.#options.load().then(
      module => {
        this.#loaded = module
        return module
      },
      cause => {
        this.#module = null
        throw cause
      },
    )
    return this.#module
  }
}

/** From the first idle moment until what was rendered is on the screen of a slow machine. */
const PAINTED_AFTER_MS = 300
/** Hidden pages render nothing, and some browsers do not tell when they are idle. */
const IDLE_AFTER_MS = 1_000

/** Resolves when the page shows its present state, and has nothing else to do. */
export async function untilShown(): Promise<void> {
  await new Promise<void>(resolve => {
    setTimeout(resolve, IDLE_AFTER_MS)
    if ('requestIdleCallback' in window) requestAnimationFrame(() => requestIdleCallback(() => resolve()))
  })
  await sleep(PAINTED_AFTER_MS)
}
