import { ControlFailure } from '@lectern/control-client'
import { describe, expect, it } from 'vitest'
import { createCallHarness, settle } from './testing/call-harness.ts'
import { refuse } from './testing/fake-control.ts'
import { aMessage, aSession } from './testing/session.ts'

async function joined() {
  const harness = createCallHarness()
  await harness.enter()
  const { call, control } = harness
  /** Sets the messages of the session. */
  const show = (messages: ReturnType<typeof aMessage>[], hasOlder = false) =>
    control.view.set({ ...aSession('p1'), messages, has_older_messages: hasOlder })
  const ids = () => call.chat.get().messages.map(each => each.message_id)
  /** The message that the nth command for the chat sent. */
  const sentBy = (nth: number) => {
    const ids = control.options.flatMap(each => each.commandId ?? [])
    return { command_id: ids[nth] ?? 'none' }
  }
  return { ...harness, show, ids, sentBy }
}

describe('Chat', () => {
  it('edits messages of a conversation, and of nothing else, and deletes those of the session', async () => {
    const { call, control, enter } = createCallHarness({ conversation: 'conference:team' })
    await enter()
    expect(call.chat.isEditable).toBe(true)
    await call.chat.edit('5', 'new')
    await call.chat.remove('5')
    const target = { kind: 'chat', id: 'conference:team' }
    expect(control.commands.slice(-2)).toEqual([
      { name: 'message.edit', target, body: { message_id: '5', text: 'new' } },
      {
        name: 'chat.delete',
        target: { kind: 'conference_session', id: '1' },
        body: { message_id: '5' },
      },
    ])

    const { call: lesson } = createCallHarness()
    expect(lesson.chat.isEditable).toBe(false)
    await expect(lesson.chat.edit('5', 'new')).rejects.toThrow('closed')
  })

  it('shows an own message at once, and only once', async () => {
    const { call, control, show, ids, sentBy } = await joined()
    const answer = Promise.withResolvers<object>()
    control.handlers['chat.send'] = () => answer.promise
    call.chat.send('hello')
    expect(call.chat.get().pending).toMatchObject([{ text: 'hello', state: { is: 'sending' } }])
    show([aMessage('1', 'hello', '8'), { ...aMessage('2', 'hello', '7'), ...sentBy(0) }])
    expect(call.chat.get().pending).toEqual([])
    answer.resolve({ message_id: '2', sent_at_ms: 3 })
    await settle()
    expect(ids()).toEqual(['1', '2'])
  })

  it('recognizes own messages by their commands: the same text from another tab is another message', async () => {
    const { call, control, show, sentBy } = await joined()
    const refused = Promise.withResolvers<object>()
    const answers = [refused.promise, new Promise(() => {})]
    control.handlers['chat.send'] = () => answers.shift()
    call.chat.send('ok')
    call.chat.send('ok')
    show([aMessage('1', 'ok', '7'), { ...aMessage('2', 'ok', '7'), command_id: 'of-another-tab' }])
    expect(call.chat.get().pending).toHaveLength(2)
    show([aMessage('1', 'ok', '7'), { ...aMessage('3', 'ok', '7'), ...sentBy(1) }])
    refused.reject(new ControlFailure('permission_denied', 'no', { reason: 'read_only' }))
    await settle()
    expect(call.chat.get().pending).toMatchObject([
      { text: 'ok', state: { is: 'failed', code: 'read_only' } },
    ])
  })

  it('keeps a failed message with its reason, to be sent again or discarded', async () => {
    const { call, control } = await joined()
    control.handlers['chat.send'] = () => refuse('permission_denied', 'read_only')
    call.chat.send('hello')
    await settle()
    const [failed] = call.chat.get().pending
    expect(failed).toMatchObject({ text: 'hello', state: { is: 'failed', code: 'read_only' } })
    control.handlers['chat.send'] = () => ({ message_id: '1', sent_at_ms: 3 })
    call.chat.sendAgain(failed?.key ?? '')
    await settle()
    expect(call.chat.get().pending).toEqual([])
    expect(control.bodies('chat.send')).toEqual([{ text: 'hello' }, { text: 'hello' }])
  })

  it('keeps a rate-limited message with its retry delay, and does not resend it automatically', async () => {
    const { call, control } = await joined()
    control.handlers['chat.send'] = () => {
      throw new ControlFailure('rate_limited', 'wait', { reason: 'too_many_messages', retryAfterMs: 1_500 })
    }
    call.chat.send('hello')
    await settle()
    expect(call.chat.get().pending).toMatchObject([
      { text: 'hello', state: { is: 'failed', code: 'too_many_messages', retryAfterMs: 1_500 } },
    ])
    expect(control.options.at(-1)).toMatchObject({ whenRateLimited: 'fail' })
  })

  it('loads older messages page by page and keeps them', async () => {
    const { call, control, show, ids } = await joined()
    show([aMessage('5')], true)
    control.handlers['chat.history'] = ({ before }) =>
      before === '5'
        ? { messages: [aMessage('3'), aMessage('4')], has_older: true }
        : { messages: [aMessage('2')], has_older: false }
    await call.chat.loadOlder()
    expect(call.chat.get()).toMatchObject({ hasOlder: true, loadingOlder: false })
    await call.chat.loadOlder()
    await call.chat.loadOlder()
    expect(control.bodies('chat.history')).toEqual([{ before: '5' }, { before: '3' }])
    show([aMessage('5'), aMessage('6')], true)
    expect(ids()).toEqual(['2', '3', '4', '5', '6'])
    expect(call.chat.get().hasOlder).toBe(false)
  })

  it('is not changed by what else happens in the session: a long chat is not rendered for each hand', async () => {
    const { call, control, show } = await joined()
    show([aMessage('1'), aMessage('2')])
    const before = call.chat.get()
    control.updateSession({ locked: true })
    expect(call.chat.get()).toBe(before)
    show([aMessage('1'), aMessage('2'), aMessage('3')])
    expect(call.chat.get().messages).toHaveLength(3)
  })

  it('drops an older page that arrives after the messages that it precedes: there would be a gap', async () => {
    const { call, control, show, ids } = await joined()
    show([aMessage('5')], true)
    const page = Promise.withResolvers<object>()
    control.handlers['chat.history'] = () => page.promise
    const loading = call.chat.loadOlder()
    show([aMessage('105'), aMessage('106')], true)
    page.resolve({ messages: [aMessage('4')], has_older: false })
    await loading
    expect(ids()).toEqual(['105', '106'])
    expect(call.chat.get()).toMatchObject({ hasOlder: true, loadingOlder: false })
  })

  it('restarts from the tail when more messages arrived than it holds', async () => {
    const { call, show, ids } = await joined()
    show([aMessage('1'), aMessage('2')])
    show([aMessage('7'), aMessage('8')], true)
    expect(ids()).toEqual(['7', '8'])
    expect(call.chat.get().hasOlder).toBe(true)
  })

  it('shows edits and deletions, also of messages that the session no longer contains', async () => {
    const { call, control, show } = await joined()
    show([aMessage('1'), aMessage('2')])
    show([aMessage('2'), aMessage('3')])
    control.emitEvent('chat.message_changed', { message: { ...aMessage('1', ''), deleted: true } })
    control.emitEvent('chat.message_changed', { message: { ...aMessage('9', 'x'), edited_at_ms: 5 } })
    expect(call.chat.get().messages).toMatchObject([{ deleted: true }, { text: '2' }, { text: '3' }])
  })
})
