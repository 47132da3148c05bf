import { describe, expect, it } from 'vitest'
import { aParticipant } from '../../../call/testing/session.ts'
import { createTestRoom } from '../../testing.ts'

async function companion() {
  const { room, harness } = createTestRoom()
  await harness.enter()
  const [me] = harness.control.view.get()?.participants ?? []
  if (!me) throw new Error('a participant was expected')
  return { companion: room.companion, control: harness.control, me }
}

describe('Companion', () => {
  it('remembers the name of the only other person after they have left', async () => {
    const { companion: it, control, me } = await companion()
    expect(it.get()).toBe('Anna')
    control.updateSession({ participants: [me] })
    expect(it.get()).toBe('Anna')
  })

  it('names nobody once several others have joined', async () => {
    const { companion: it, control, me } = await companion()
    control.updateSession({ participants: [me, aParticipant('third', { user_id: '9' })] })
    expect(it.get()).toBeNull()
  })

  it('clears the name of a person whom a moderator has removed', async () => {
    const { companion: it, control, me } = await companion()
    control.updateSession({ participants: [me], removed: [{ user_id: '8', display_name: 'Anna' }] })
    expect(it.get()).toBeNull()
  })
})
