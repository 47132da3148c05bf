import { describe, expect, it } from 'vitest'
import { button, messageWith, openChat, sendMessage, useLessonPages } from './support/panels.ts'

/** A burst of 2 KiB, refilled within twenty seconds. */
const { makeRoom, enter, checkPanel } = useLessonPages('chat-limits', {
  SVC_LIMITS_ENABLED: '1',
  SVC_LIMITS_CHAT_KILOBYTES_PER_MINUTE: '6',
})

describe('a rate-limited chat', () => {
  it('reports that messages are sent too fast, and keeps the unsent text', async () => {
    const room = await makeRoom()
    const student = await enter(room.student_join_url)
    await openChat(student)
    const [first, second] = ['first '.repeat(300).trim(), 'second '.repeat(250).trim()]
    await sendMessage(student, first)
    await messageWith(student, first).waitFor()
    await expect.poll(() => student.getByText('Sending…').count()).toBe(0)
    await sendMessage(student, second)
    await student.getByRole('alert').getByText('Not sent. You are sending messages too quickly.').waitFor()
    await messageWith(student, second).waitFor()
    await checkPanel(student, 'too-fast')
    const isSent = async () => {
      const again = button(student, 'Send again')
      if ((await again.count()) > 0) await again.click()
      await student.waitForTimeout(1_000)
      return (
        (await messageWith(student, second).count()) === 1 && (await button(student, 'Delete').count()) === 0
      )
    }
    await expect.poll(isSent, { interval: 1_000 }).toBe(true)
  })
})
