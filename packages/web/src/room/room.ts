import type { Call } from '../call/call.ts'
import { Lifetime } from '../call/lifetime.ts'
import type { Devices } from '../devices/devices.ts'
import type { Features } from '../link/invitation.ts'
import { Fullscreen, type FullscreenPage } from './fullscreen.ts'
import { Notices } from './notices/notices.ts'
import { Panels } from './panels.ts'
import { Sound } from './sound/sound.ts'
import { Spotlight } from './stage/spotlight.ts'

export interface RoomParts {
  call: Call
  devices: Devices
  title: string
  features: Features
  page: FullscreenPage
}

/** One stay in a room: the call, and how this visitor likes to look at it. */
export class Room {
  readonly call: Call
  readonly devices: Devices
  readonly title: string
  readonly features: Features
  readonly panels: Panels
  readonly spotlight: Spotlight
  readonly fullscreen: Fullscreen
  readonly sound: Sound
  readonly notices: Notices
  readonly #life = new Lifetime()

  constructor({ call, devices, title, features, page }: RoomParts) {
    const life = this.#life
    this.call = call
    this.devices = devices
    this.title = title
    this.features = features
    this.panels = new Panels()
    this.spotlight = new Spotlight(call, life)
    this.fullscreen = new Fullscreen(page, life)
    this.sound = new Sound(devices.speaker, life)
    this.notices = new Notices(call, devices, life)
    life.own(call.subscribe(() => call.get().is === 'over' && this.#end()))
  }

  readonly open = (): void => this.call.open()

  readonly leave = (): void => this.call.leave()

  /** Whoever is out is neither seen nor heard, not even by their own page. */
  #end(): void {
    this.devices.close()
    this.#life.close()
  }
}
