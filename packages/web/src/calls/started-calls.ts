import { holdLock } from '../hold-lock.ts'
import type { StoredValue } from '../stored-value.ts'

/** More calls than a tab can have open. */
const IDS_MAX = 10

/** The calls that this tab has started and not entered yet: it enters them as soon as somebody answers. Survives a reload. */
export class StartedCalls {
  readonly #stored: StoredValue
  readonly #locks: Pick<LockManager, 'request'> | undefined

  /** `locks`: where the browser supports them. */
  constructor(stored: StoredValue, locks?: Pick<LockManager, 'request'>) {
    this.#stored = stored
    this.#locks = locks
  }

  /** True once: a tab that was duplicated has the ids of the other one, too. */
  claim(callId: string): Promise<boolean> {
    this.remove(callId)
    const asLongAsTheTabIsOpen = new Promise(() => {})
    return holdLock(
      this.#locks,
      `lectern.started-call.${callId}`,
      { ifAvailable: true },
      asLongAsTheTabIsOpen,
    )
  }

  has = (callId: string): boolean => this.#ids.includes(callId)

  add = (callId: string): void =>
    this.#save([...this.#ids.filter(id => id !== callId), callId].slice(-IDS_MAX))

  remove = (callId: string): void => this.#save(this.#ids.filter(id => id !== callId))

  get #ids(): string[] {
    return this.#stored.get()?.split(' ').filter(Boolean) ?? []
  }

  #save(ids: string[]): void {
    if (ids.length > 0) this.#stored.set(ids.join(' '))
    else this.#stored.remove()
  }
}
