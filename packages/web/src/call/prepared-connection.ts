import type { ControlClient } from '@lectern/control-client'
import { type CallConnectionOptions, connectCall } from './connect-call.ts'
import { canScaleCamera } from './media/can-scale-camera.ts'
import { prepareMediasoup } from './media/mediasoup-device.ts'

/** A page that is left open does not hold a connection for longer. */
const UNUSED_MS = 10 * 60_000

/**
 * The preparation of a call before its user joins: a connection that is logged in, but outside of the session, and the
 * code and capabilities for media. The creator MUST call `close()`, which does nothing once a call has taken the
 * connection.
 */
export class PreparedConnection {
  #control: ControlClient | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `options` null: who joins is not known yet. */
  constructor(options: CallConnectionOptions | null) {
    // A failure is reported by the call.
    prepareMediasoup().catch(() => {})
    void canScaleCamera()
    if (!options) return
    this.#control = connectCall(options)
    this.#control.open()
    this.#timer = setTimeout(this.close, UNUSED_MS)
  }

  /** The connection, which belongs to the caller from now on; null: the call needs another one. */
  take(): ControlClient | null {
    const control = this.#control
    this.#control = null
    clearTimeout(this.#timer)
    return control?.state.get().is === 'ended' ? null : control
  }

  readonly close = (): void => {
    clearTimeout(this.#timer)
    this.#control?.close()
    this.#control = null
  }
}
