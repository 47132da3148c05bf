import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { aParticipant } from '../../../call/testing/session.ts'
import { createTestRoom } from '../../testing.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function stage() {
  const { room, harness } = createTestRoom()
  await harness.enter()
  const speaks = (participant_id: string | null) =>
    harness.control.emitSignal('speaker.active', participant_id ?? 'server', { participant_id })
  return { control: harness.control, spotlight: room.spotlight, room, speaks }
}

describe('Spotlight', () => {
  it('switches to a participant who has been speaking for a while', async () => {
    const { spotlight, speaks } = await stage()
    speaks('teacher')
    vi.advanceTimersByTime(1_400)
    expect(spotlight.get().speaker).toBeNull()
    vi.advanceTimersByTime(200)
    expect(spotlight.get().speaker).toBe('teacher')
  })

  it('does not switch for a short interjection', async () => {
    const { spotlight, speaks } = await stage()
    speaks('teacher')
    vi.advanceTimersByTime(2_000)
    speaks('own-tablet')
    vi.advanceTimersByTime(1_000)
    speaks('teacher')
    vi.advanceTimersByTime(5_000)
    expect(spotlight.get().speaker).toBe('teacher')
  })

  it('stays with the last speaker in silence, and while this participant speaks', async () => {
    const { spotlight, speaks } = await stage()
    speaks('teacher')
    vi.advanceTimersByTime(2_000)
    for (const speaker of [null, 'p1']) {
      speaks(speaker)
      vi.advanceTimersByTime(5_000)
      expect(spotlight.get().speaker).toBe('teacher')
    }
  })

  it('pins one tile at a time, and unpins it', async () => {
    const { spotlight } = await stage()
    spotlight.togglePin('person a')
    spotlight.togglePin('person b')
    expect(spotlight.get().pinned).toBe('person b')
    spotlight.togglePin('person b')
    expect(spotlight.get().pinned).toBeNull()
  })

  it('keeps a person pinned who had to rejoin', async () => {
    const { control, spotlight } = await stage()
    spotlight.togglePin('screen teacher')
    const [me] = control.view.get()?.participants ?? []
    if (!me) throw new Error('a participant was expected')
    control.updateSession({ participants: [me] })
    expect(spotlight.get().pinned).toBe('screen teacher')
    control.updateSession({ participants: [me, aParticipant('somebody', { user_id: '9' })] })
    expect(spotlight.get().pinned).toBe('screen teacher')
    control.updateSession({ participants: [me, aParticipant('again', { user_id: '8' })] })
    expect(spotlight.get().pinned).toBe('screen again')
  })

  it('ends with the room', async () => {
    const { room, spotlight, speaks } = await stage()
    speaks('teacher')
    room.leave()
    vi.advanceTimersByTime(5_000)
    expect(spotlight.get().speaker).toBeNull()
  })
})
