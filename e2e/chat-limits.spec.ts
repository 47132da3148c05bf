import { describe, expect, it } from 'vitest'
import { button, openChat, said, say, useLessons } from './support/panels.ts'

/** At once 2 KiB, and as much again after twenty seconds. */
const { makeRoom, enter, look } = useLessons('chat-limits', {
  SVC_LIMITS_ENABLED: '1',
  SVC_LIMITS_CHAT_KILOBYTES_PER_MINUTE: '6',
})

describe('a chat with a limit', () => {
  it('says that messages come too fast, and keeps what was written until it is sent', async () => {
    const room = await makeRoom()
    const student = await enter(room.student_join_url)
    await openChat(student)
    const [first, second] = ['first '.repeat(300).trim(), 'second '.repeat(250).trim()]
    await say(student, first)
    await said(student, first).waitFor()
    await expect.poll(() => student.getByText('Sending…').count()).toBe(0)
    await say(student, second)
    await student.getByRole('alert').getByText('Not sent. You are sending messages too quickly.').waitFor()
    await said(student, second).waitFor()
    await look(student, 'too-fast')
    const isSent = async () => {
      const again = button(student, 'Send again')
      if ((await again.count()) > 0) await again.click()
      await student.waitForTimeout(1_000)
      return (await said(student, second).count()) === 1 && (await button(student, 'Delete').count()) === 0
    }
    await expect.poll(isSent, { timeout: 60_000, interval: 1_000 }).toBe(true)
  })
})
