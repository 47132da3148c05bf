import { Emitter } from './emitter.ts'

/** A value that can be read and subscribed to; it fits React's useSyncExternalStore. */
export interface Readable<T> {
  readonly get: () => T
  readonly subscribe: (listener: () => void) => () => void
}

/** A value that its subclass sets. */
export class Observable<T> implements Readable<T> {
  #value: T
  readonly #changed = new Emitter<void>()

  constructor(value: T) {
    this.#value = value
  }

  readonly get = (): T => this.#value

  /** Returns a function that ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    let unsubscribe: (() => void) | null = this.#changed.on(listener)
    if (this.#changed.listenerCount === 1) this.onFirstSubscribe()
    return () => {
      if (!unsubscribe) return
      unsubscribe()
      unsubscribe = null
      if (this.#changed.listenerCount === 0) this.onLastUnsubscribe()
    }
  }

  protected set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    this.#changed.emit()
  }

  /** Override it to start the source of the value. */
  protected onFirstSubscribe(): void {}

  protected onLastUnsubscribe(): void {}
}

/** A value that its owner sets. */
export class WritableObservable<T> extends Observable<T> {
  override set(value: T): void {
    super.set(value)
  }
}
