import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { type AccountState, type ChatMessage, directChat } from '@lectern/protocol/control/client'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { addUser, signInAs } from '../../support/accounts.ts'
import { useLectern } from '../../support/lectern.ts'
import type { Account } from '../../support/members.ts'
import { waitFor } from '../../support/wait.ts'

const KILLS = 5
const MESSAGES_PER_KILL = 4
const LATEST_KILL_MS = 25
/** Longer than any outage of these tests. */
const TTL_MS = 90_000

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const clients: ControlClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})

/** One device of an account. */
function connect({ access_token }: Account): ControlClient {
  const client = new ControlClient(platformEnvironment(WebSocket), {
    url: `${lectern.url.replace('http', 'ws')}/api/v1.0/control`,
    accessToken: async refusal => (refusal ? null : access_token),
    client: { name: 'e2e', version: '1', platform: 'node' },
    backoffCapMs: 500,
  })
  clients.push(client)
  client.open()
  return client
}

async function signIn(login: string) {
  const account = await signInAs(lectern, await addUser(lectern, login))
  const userId = String(account.user_id)
  const [laptop, phone] = [connect(account), connect(account)]
  const states = () => [laptop, phone].map(device => device.account(userId).get())
  await waitFor(() => states().every(Boolean), `${login} has the state of the account`)
  return { id: account.user_id, target: { kind: 'account', id: userId } as const, laptop, phone, states }
}

it('MSG-1 kill -9 between a message and its acknowledgement delivers it once, in order, with correct counters on all devices', async () => {
  const seed = testSeed()
  const random = seededRandom(seed)
  const [anna, ben] = [await signIn('anna'), await signIn('ben')]
  await anna.laptop.command('contact.add', anna.target, { login: 'ben' })
  await ben.laptop.command('contact.add', ben.target, { login: 'anna' })
  const chat = { kind: 'chat', id: directChat(anna.id, ben.id) } as const

  const sent: string[] = []
  for (let round = 1; round <= KILLS; round++) {
    const send = async () => {
      for (let i = 1; i <= MESSAGES_PER_KILL; i++) {
        const text = `message ${round}.${i}`
        sent.push(text)
        await anna.laptop.command('message.send', chat, { text }, { ttlMs: TTL_MS })
      }
    }
    const sending = send()
    await sleep(random() * LATEST_KILL_MS)
    await lectern.stop('SIGKILL')
    await lectern.start()
    await sending
  }

  const { messages } = await ben.phone.command('message.list', chat, {}, { ttlMs: TTL_MS })
  expect(messages.map(({ text }: ChatMessage) => text)).toEqual(sent)

  const unreadOf = (state: AccountState | null) => [
    state?.conversations.find(({ chat_id }) => chat_id === chat.id)?.unread,
    state?.unread_conversations,
  ]
  // Devices that are not back yet have the state of before the last kill.
  const haveUnread = (states: () => (AccountState | null)[], unread: number) =>
    waitFor(
      () => states().every(state => String(unreadOf(state)) === String([unread, unread > 0 ? 1 : 0])),
      `the counters are ${unread} on all devices`,
    )
  await haveUnread(ben.states, sent.length)
  await haveUnread(anna.states, 0)

  const newest = messages.at(-1)?.message_id ?? ''
  await ben.laptop.command('message.read', chat, { message_id: newest })
  await waitFor(() => ben.states().every(state => unreadOf(state)[0] === 0), 'both devices show it as read')
})
