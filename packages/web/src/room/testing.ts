import { createCallHarness } from '../call/testing/call-harness.ts'
import { Devices } from '../devices/devices.ts'
import { FakeDevices } from '../devices/testing.ts'
import { anInvitation } from '../link/testing.ts'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import { Room, type RoomOptions } from './room.ts'

/** The part of a browser that has the screen, as a test plays it. */
class FakePage extends EventTarget {
  fullscreenElement: Element | null = null
  /** What an iPhone, or a frame without leave, does. */
  refuses = false
  readonly documentElement = {
    requestFullscreen: async () => {
      if (this.refuses) throw new TypeError('not allowed')
      this.#show({} as Element)
    },
  }
  readonly exitFullscreen = async () => this.#show(null)

  /** Also what the Escape key does. */
  #show(element: Element | null): void {
    this.fullscreenElement = element
    this.dispatchEvent(new Event('fullscreenchange'))
  }
}

/** A room around a call that a test plays. */
export function createTestRoom(parts: Partial<RoomOptions> = {}) {
  const world = createCallHarness()
  const page = new FakePage()
  const storage = makeStorage()
  const devices = new Devices(
    new FakeDevices(),
    () => () => {},
    () => storage,
  )
  const { title, isPartnerRoom, features } = anInvitation()
  const kept = {
    layout: new StoredValue('layout', () => storage),
    captions: new StoredValue('captions', () => storage),
  }
  const room = new Room({
    call: world.call,
    devices,
    title,
    isPartnerRoom,
    features,
    page,
    preferences: kept,
    ...parts,
  })
  return { room, page, devices, world }
}
