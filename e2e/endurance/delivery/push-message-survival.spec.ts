import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom, testSeed } from '@lectern/common/testing'
import { directChat } from '@lectern/protocol/control/client'
import { expect, it } from 'vitest'
import { type AccountDevice, useAccountDevices } from '../../support/account-devices.ts'
import { addUser, signInAs } from '../../support/accounts.ts'
import { useLectern } from '../../support/lectern.ts'
import { usePushInbox } from '../../support/push-inbox.ts'
import { pushSettings } from '../../support/push-settings.ts'
import { waitFor } from '../../support/wait.ts'

const KILLS = 4
const LATEST_KILL_MS = 30
/** Longer than any outage of these tests. */
const TTL_MS = 90_000

const settings = pushSettings()
const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', ...settings }))
const subscribe = usePushInbox()
const connect = useAccountDevices()

it('a push of a message is not lost by a kill -9 between the message and its notification', async () => {
  const random = seededRandom(testSeed())
  const deviceOf = async (login: string) =>
    connect(lectern.url, await signInAs(lectern, await addUser(lectern, login)))
  const anna = await deviceOf('anna')
  const inbox = await subscribe(anna.client, anna.self)
  const senders: AccountDevice[] = []
  for (let round = 0; round < KILLS; round++) {
    const sender = await deviceOf(`sender-${round}`)
    await anna.becomeContactOf(sender)
    senders.push(sender)
  }
  anna.client.close()
  await waitFor(() => senders[0]?.view?.contacts[0]?.presence === 'offline', 'the contact is offline')
  for (const [round, sender] of senders.entries()) {
    const chat = { kind: 'chat', id: directChat(Number(sender.userId), Number(anna.userId)) } as const
    const sent = sender.client.command('message.send', chat, { text: `message ${round}` }, { ttlMs: TTL_MS })
    await sleep(random() * LATEST_KILL_MS)
    await lectern.stop('SIGKILL')
    await lectern.start()
    await sent
  }
  const missing = () =>
    senders.flatMap((_, round) => (inbox.some(({ body }) => body === `message ${round}`) ? [] : [round]))
  await waitFor(() => missing().length === 0, 'every message was notified')
  expect(inbox.every(({ type }) => type === 'message')).toBe(true)
})
