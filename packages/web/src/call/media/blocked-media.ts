import { type Lifetime, Observable } from '@lectern/common'
import type { ConnectionState, Readable } from '@lectern/control-client'
import type { TransportState } from '../ports.ts'

/** Longer than a change of network or a restart of the server takes. */
const BLOCKED_AFTER_MS = 15_000

interface Sources {
  control: Readable<ConnectionState>
  transport: Readable<TransportState>
}

/** Whether the server is reached for long by the control channel only: perhaps the network blocks media. */
export class BlockedMedia extends Observable<boolean> {
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ control, transport }: Sources, lifetime: Lifetime) {
    super(false)
    const update = () => this.#update(control.get().is === 'ready', transport.get())
    for (const each of [control, transport]) lifetime.defer(each.subscribe(update))
    lifetime.defer(() => clearTimeout(this.#timer))
  }

  #update(hasControl: boolean, transport: TransportState): void {
    if (!hasControl || transport === 'connected') {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.set(false)
    } else if (transport !== 'new') {
      // An endpoint that replaces a failed one is new, and continues the wait.
      this.#timer ??= setTimeout(() => this.set(true), BLOCKED_AFTER_MS)
    }
  }
}
