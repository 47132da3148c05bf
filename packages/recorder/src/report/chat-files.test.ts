import { expect, it } from 'vitest'
import { chatFilesOf, withoutText } from './chat-files.ts'

const file = { file_id: 'b_1', name: 'notes.txt', content_type: 'text/plain', size: 12 }
const message = { message_id: '5', user_id: '7', sent_at_ms: 1_000, text: 'a secret', display_name: 'Anna' }
const line = (name: string, body: object) => ({
  at_ms: 1,
  name,
  body: withoutText({ message: body } as never),
})

it('a recording lists the files of the chat without texts, and none of deleted messages', () => {
  const lines = [
    line('chat.message', { ...message, file, deleted: false }),
    line('chat.message', { ...message, message_id: '6', file: { ...file, file_id: 'b_2' }, deleted: false }),
    line('chat.message', { ...message, message_id: '8', deleted: false }),
    line('chat.message_changed', { ...message, message_id: '6', text: '', deleted: true }),
  ]
  expect(JSON.stringify(lines)).not.toContain('secret')
  expect(chatFilesOf(lines)).toEqual([{ ...file, message_id: '5', user_id: '7', sent_at_ms: 1_000 }])
})
