import type { StoredValue } from '../stored-value.ts'

/** More calls than a tab can have open. */
const IDS_MAX = 10

/** The calls that this tab has started and not entered yet: it enters them as soon as somebody answers. Survives a reload. */
export class StartedCalls {
  readonly #stored: StoredValue

  constructor(stored: StoredValue) {
    this.#stored = stored
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
