import { expect, it } from 'vitest'
import { MessagePublisher } from './message-publisher.ts'
import type { Chat, Recipient } from './ports.ts'

const message = (chatId: string, messageId: number) => ({
  ...{ chatId, messageId, userId: 1, commandId: `c${messageId}`, displayName: 'Anna', text: 'Hi' },
  ...{ sentAtMs: 0, editedAtMs: null, isDeleted: false },
})

it('messages that arrive together wait for one reading of their audiences, and keep their order', async () => {
  const answers: (() => void)[] = []
  const published: string[] = []
  const publisher = new MessagePublisher({
    conversations: {
      recipients: ({ id }) =>
        new Promise<Recipient[]>(resolve => {
          answers.push(() => resolve([{ userId: Number(id), isMuted: false, isRequest: false, readId: 0 }]))
        }),
    },
    titleOf: async () => 'Board',
    publish: (userIds, { name }) => published.push(`${userIds} ${name}`),
    notifySession: () => {},
    onStored: () => {},
  })
  const added = ['1', '2', '1', '3'].map((id, index) => ({
    chat: { id, kind: 'conference', tag: id } as Chat,
    message: message(id, index),
  }))
  const receivers = publisher.added(added)
  expect(answers).toHaveLength(3)
  for (const answer of answers.toReversed()) answer()
  expect(await receivers).toEqual([1, 1, 1, 1])
  expect(published).toEqual(['1', '2', '1', '3'].map(id => `${id} message.added`))
})
