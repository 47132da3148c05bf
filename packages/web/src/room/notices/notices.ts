import type { SessionView } from '@lectern/control-client'
import type { Call } from '../../call/call.ts'
import type { Lifetime } from '../../call/lifetime.ts'
import type { MutedBy } from '../../call/media/own-media.ts'
import type { Devices } from '../../devices/devices.ts'
import type { Input } from '../../devices/input.ts'
import { Observable } from '../../observable.ts'
import type { ServiceSwitch } from '../service/service.ts'
import { type News, newsOf } from './news.ts'

export interface Notice {
  id: number
  news: News
}

interface Sources {
  call: Call
  devices: Devices
  recording: ServiceSwitch
  transcription: ServiceSwitch
}

const SHOWN_FOR_MS = 7_000
const MOST = 3

/** What has happened just now, the newest last. */
export class Notices extends Observable<readonly Notice[]> {
  readonly #call: Call
  #count = 0
  #session: SessionView | null = null
  #mutedBy: MutedBy
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()

  constructor({ call, devices, recording, transcription }: Sources, life: Lifetime) {
    super([])
    const { camera, microphone } = devices
    this.#call = call
    this.#mutedBy = call.own.get()
    const { screen } = call.own
    life.own(call.subscribe(() => this.#follow()))
    life.own(call.own.subscribe(() => this.#followMutes()))
    life.own(screen.subscribe(() => screen.get().failed && this.#tell({ is: 'shareRefused' })))
    for (const input of [camera, microphone]) this.#followDevice(input, life)
    for (const service of [recording, transcription])
      life.own(service.subscribe(() => this.#followService(service)))
    life.own(() => this.#timers.forEach(clearTimeout))
  }

  #follow(): void {
    const state = this.#call.get()
    if (state.is !== 'inside') return
    const before = this.#session
    this.#session = state.session
    for (const news of newsOf(before, state.session, state.me.participant_id)) this.#tell(news)
  }

  #followService(service: ServiceSwitch): void {
    const state = service.get()
    if (state.is === 'refused') this.#tell({ is: 'serviceRefused', why: state.why })
  }

  #followMutes(): void {
    const before = this.#mutedBy
    this.#mutedBy = this.#call.own.get()
    for (const [source, by] of this.#mutedBy)
      if (!before.has(source)) this.#tell({ is: 'muted', source, by: this.#nameOf(by) })
  }

  /** A headset that was unplugged, say, and what has taken its place. */
  #followDevice(input: Input, life: Lifetime): void {
    const read = () => {
      const state = input.get()
      return state.is === 'on' ? state : null
    }
    let gone = read()?.replaces
    const look = () => {
      const state = read()
      if (!state || state.replaces === gone) return
      gone = state.replaces
      if (gone !== null) this.#tell({ is: 'replaced', device: input.kind, gone, now: state.track.label })
    }
    life.own(input.subscribe(look))
  }

  #nameOf(id: string | null): string | null {
    const participants = this.#session?.participants ?? []
    return participants.find(each => each.participant_id === id)?.display_name ?? null
  }

  #tell(news: News): void {
    const id = ++this.#count
    this.set([...this.get(), { id, news }].slice(-MOST))
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.set(this.get().filter(each => each.id !== id))
    }, SHOWN_FOR_MS)
    this.#timers.add(timer)
  }
}
