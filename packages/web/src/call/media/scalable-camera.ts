import { type Lifetime, Observable } from '@lectern/common'
import type { Readable } from '@lectern/control-client'
import type { Control } from '../ports.ts'
import type { MediaState } from './media-connection.ts'
import { Settling } from './settling.ts'
import { summarise } from './transport-statistics.ts'

/** The codec of a camera with spatial layers. Of those that browsers have, it is the one that machines encode in time. */
export const SCALABLE = 'video/VP9'

const POLL_MS = 2_000
/** Browsers need some seconds for the right resolution, and other programs start. */
const BUSY_MS = 6_000

interface ScalableCameraOptions {
  control: Pick<Control, 'onSignal'>
  media: Readable<MediaState>
  canScaleCamera: () => Promise<boolean>
}

/**
 * Whether the camera is sent in one encoding with spatial layers instead of several without: it takes less bandwidth, and
 * more processor time. No longer, for the rest of the call, once somebody cannot decode it or this machine is too slow.
 */
export class ScalableCamera extends Observable<boolean> {
  readonly #media: Readable<MediaState>
  readonly #isBusy = new Settling<boolean>(false, () => BUSY_MS)
  #timer: ReturnType<typeof setInterval> | undefined
  #isOver = false

  constructor({ control, media, canScaleCamera }: ScalableCameraOptions, lifetime: Lifetime) {
    super(false)
    this.#media = media
    lifetime.defer(() => this.#stop())
    lifetime.defer(control.onSignal(({ name }) => name === 'media.undecodable' && this.#stop()))
    canScaleCamera().then(can => can && this.#start())
  }

  #start(): void {
    if (this.#isOver) return
    this.#timer = setInterval(() => void this.#poll(), POLL_MS)
    this.set(true)
  }

  #stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.set(false)
  }

  async #poll(): Promise<void> {
    const media = this.#media.get()
    if (media.is !== 'open') return
    const stats = await media.endpoint.getStats().catch(() => null)
    const isBusy = stats !== null && summarise(stats).isEncoderBusy
    if (this.#isBusy.next(isBusy, performance.now())) this.#stop()
  }
}
