import { Call, type CallOptions, type CallState } from '../call.ts'
import type { ChatOptions } from '../chat.ts'
import { FakeControl } from './fake-control.ts'
import { FakeInput } from './fake-input.ts'
import { noteCall } from './open-calls.ts'
import {
  aTrack,
  type FakeTrack,
  type FakeTransports,
  fakeTransports,
  type ReceiveTrack,
} from './transports.ts'

export type CallHarnessOptions = ChatOptions &
  Partial<
    Pick<
      CallOptions,
      'tag' | 'asks' | 'canScaleCamera' | 'captureScreen' | 'receivingCapabilities' | 'microphone' | 'camera'
    >
  > & { receive?: ReceiveTrack }

/** A call with a fake server and a fake browser. */
export function createCallHarness({ receive, ...options }: CallHarnessOptions = {}) {
  const control = new FakeControl()
  const { all, open } = fakeTransports(receive)
  const tracks: FakeTrack[] = []
  const take = async () => {
    const { fake, track } = aTrack()
    tracks.push(fake)
    return track
  }
  const [microphone, camera] = [new FakeInput(), new FakeInput()]
  const captureScreen = async () => ({ video: await take(), audio: await take() })
  const joinOptions = { tag: 'k7mq', displayName: 'Anna' }
  const call = new Call({
    control,
    openTransports: open,
    microphone,
    camera,
    captureScreen,
    canScaleCamera: async () => false,
    accessToken: async () => 'token',
    ...joinOptions,
    ...options,
  })
  noteCall(call)
  const states: CallState['is'][] = []
  call.subscribe(() => {
    if (states.at(-1) !== call.get().is) states.push(call.get().is)
  })
  return {
    call,
    control,
    microphone,
    camera,
    allTransports: all,
    tracks,
    states,
    get transports(): FakeTransports {
      const transports = all.at(-1)
      if (!transports) throw new Error('no endpoint was opened')
      return transports
    },
    /** Joins and opens an endpoint. */
    enter: async () => {
      call.open()
      await settle()
    },
  }
}

/** A harness whose call has joined. */
export async function joinCall() {
  const harness = createCallHarness()
  await harness.enter()
  return harness
}

/** Runs everything that waits only for promises. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}
