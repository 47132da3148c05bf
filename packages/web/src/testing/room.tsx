import { expect } from 'vitest'
import { RoomPage } from '../room/RoomPage.tsx'
import type { RoomOptions } from '../room/room.ts'
import { createTestRoom } from '../room/testing.ts'
import { type RenderOptions, render } from './render.tsx'
import { playableDevices, playableTrack } from './tracks.ts'

export interface RoomRenderOptions extends RenderOptions {
  room?: Partial<RoomOptions>
  /** Before the join. */
  prepare?: (all: ReturnType<typeof createTestRoom>) => void
}

/** A room in which the user, Anna, has joined the session of a fake control channel. */
export async function renderRoom({ room: parts, prepare, ...options }: RoomRenderOptions = {}) {
  const all = createTestRoom(
    { page: document, ...parts },
    {
      devicePort: playableDevices('camera A', 'microphone A'),
      receive: ({ kind }) => playableTrack(kind),
      captureScreen: async () => ({ video: playableTrack('video', 640, 360), audio: null }),
    },
  )
  prepare?.(all)
  let isBack = false
  const onBack = () => {
    isBack = true
  }
  const screen = await render(<RoomPage room={all.room} onBack={onBack} />, options)
  await all.harness.enter()
  await expect.poll(() => all.harness.call.get().is).not.toBe('joining')
  return { ...all, ...screen, isBack: () => isBack, control: all.harness.control }
}
