import { type CallHarnessOptions, createCallHarness } from '../call/testing/call-harness.ts'
import { Devices } from '../devices/devices.ts'
import { FakeDevices } from '../devices/testing.ts'
import { anInvitation } from '../link/testing.ts'
import { StoredValue } from '../stored-value.ts'
import { makeStorage } from '../testing.ts'
import { Room, type RoomOptions } from './room.ts'

/** A fake document with the Fullscreen and Page Visibility APIs. */
class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  fullscreenElement: Element | null = null
  /** Like an iPhone, or a frame without permission. */
  refuses = false
  readonly documentElement = {
    requestFullscreen: async () => {
      if (this.refuses) throw new TypeError('not allowed')
      this.#show({} as Element)
    },
  }
  readonly exitFullscreen = async () => this.#show(null)

  setVisible(isVisible: boolean): void {
    this.visibilityState = isVisible ? 'visible' : 'hidden'
    this.dispatchEvent(new Event('visibilitychange'))
  }

  /** Also on the Escape key. */
  #show(element: Element | null): void {
    this.fullscreenElement = element
    this.dispatchEvent(new Event('fullscreenchange'))
  }
}

interface TestRoomOptions extends Pick<CallHarnessOptions, 'captureScreen' | 'receive'> {
  /** The devices that the call sends; absent: the test turns on the harness's. */
  devicePort?: FakeDevices
}

/** A room with a fake call. */
export function createTestRoom(
  parts: Partial<RoomOptions> = {},
  { devicePort, ...callOptions }: TestRoomOptions = {},
) {
  const page = new FakePage()
  const storage = makeStorage()
  const devices = new Devices(
    devicePort ?? new FakeDevices(),
    () => () => {},
    () => storage,
  )
  const { microphone, camera } = devices
  const harness = createCallHarness({ ...callOptions, ...(devicePort && { microphone, camera }) })
  const { title, endsAt, isPartnerRoom, isCall, features, transcriptionLanguages, look } = anInvitation()
  const stored = (name: string) => new StoredValue(name, () => storage)
  const chimes: string[] = []
  const preferences = {
    layout: stored('layout'),
    partnerLayout: stored('partner-layout'),
    ownView: stored('own-view'),
    captions: stored('captions'),
    transcriptionLanguage: stored('transcription-language'),
    alerts: {
      join: stored('alert-join'),
      hand: stored('alert-hand'),
      message: stored('alert-message'),
      title: stored('alert-title'),
    },
    pushToTalk: stored('push-to-talk'),
    messageBubble: stored('message-bubble'),
    shortcutKeys: stored('shortcut-keys'),
    volumes: stored('volumes'),
    board: { tools: stored('board-tools'), history: (page: string) => stored(`board.${page}`) },
  }
  const room = new Room({
    call: harness.call,
    devices,
    title,
    endsAt,
    isPartnerRoom,
    isCall,
    features,
    transcriptionLanguages,
    look,
    language: 'en',
    page,
    pip: { openWindow: null, openVideo: null },
    chime: name => void chimes.push(name),
    invitationUrl: null,
    preferences,
    ...parts,
  })
  return { room, page, devices, harness, storage, chimes }
}
