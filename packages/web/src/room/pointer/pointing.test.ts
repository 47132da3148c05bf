import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aPublication } from '../../call/testing/session.ts'
import { createTestRoom } from '../testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function sharing() {
  const all = createTestRoom()
  const { room, harness } = all
  await harness.enter()
  room.stage.setSize({ width: 1000, height: 700 }, 1)
  await room.call.local.screenShare.start()
  harness.control.addPublication(
    aPublication({ publication_id: 'own-screen', participant_id: 'p1', source: 'screen' }),
  )
  const pointed = () => harness.control.signals.map(({ body }) => body)
  return { ...all, control: harness.control, pointed }
}

describe('Pointing', () => {
  it('puts the own shared screen on the stage, large, beside the others', async () => {
    const { room } = await sharing()
    const own = 'screen p1'
    expect(room.stage.get().rects.has(own)).toBe(false)
    room.pointing.toggle()
    const { large, rects } = room.stage.get()
    expect([large, rects.has(own), rects.has('person teacher')]).toEqual([own, true, true])
    room.pointing.toggle()
    expect(room.stage.get().rects.has(own)).toBe(false)
  })

  it('notifies the others of positions on the screen, and when there is none', async () => {
    const { room, pointed } = await sharing()
    room.pointing.toggle()
    room.pointing.point({ x: 0.5, y: 0.25 })
    room.pointing.point(null)
    expect(pointed()).toEqual([
      { publication_id: 'own-screen', position: { x: 0.5, y: 0.25 } },
      { publication_id: 'own-screen', position: null },
    ])
  })

  it('ends with the share, and begins with none', async () => {
    const { room, pointed } = await sharing()
    room.pointing.toggle()
    room.pointing.point({ x: 0.5, y: 0.25 })
    room.call.local.screenShare.stop()
    expect(room.pointing.get()).toBe(false)
    expect(pointed().at(-1)).toEqual({ publication_id: 'own-screen', position: null })
    room.pointing.toggle()
    expect(room.pointing.get()).toBe(false)
  })
})
