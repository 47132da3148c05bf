import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, it } from 'vitest'
import { useAccountDevices } from '../../support/account-devices.ts'
import { addUser, signInAs } from '../../support/accounts.ts'
import { useLectern } from '../../support/lectern.ts'
import { waitFor } from '../../support/wait.ts'

/** Mails that were received completely, and whether they are accepted; otherwise there is no answer. */
const received: string[] = []
let isAccepting = false
const smtp = new SMTPServer({
  hideSTARTTLS: true,
  authOptional: true,
  onData: (stream, _session, done) => {
    const receive = async () => {
      received.push(await text(stream))
      if (isAccepting) done()
    }
    receive().catch(() => {}) // the sender was killed midway
  },
})
const listener = smtp.listen(0, '127.0.0.1')
await once(listener, 'listening')
afterAll(() => smtp.close())

const lectern = useLectern(() => ({
  SVC_MAIL_URL: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
  SVC_MAIL_FROM: 'meet@school.example',
}))
const connect = useAccountDevices()

it('MISS-3 a mail of a missed call is sent again, with the same id, after a kill -9 while it is sent', async () => {
  const ben = connect(lectern.url, await signInAs(lectern, await addUser(lectern, 'ben')))
  const account = await signInAs(lectern, await addUser(lectern, 'anna', { email: 'anna@school.example' }))
  const chosen = await fetch(`${lectern.url}/api/v1.0/me`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${account.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ missed_call_mails: true }),
  })
  expect(chosen.status).toBe(200)
  const anna = connect(lectern.url, account)
  await ben.becomeContactOf(anna)
  await ben.act('call.cancel', await ben.invite(anna))
  await waitFor(() => received.length === 1, 'the mail is under way')
  await lectern.stop('SIGKILL')
  isAccepting = true
  await lectern.start()
  await waitFor(() => received.length === 2, 'the mail is sent again')
  const ids = received.map(mail => /^Message-ID:\s+(\S+)/im.exec(mail)?.[1])
  expect(ids[0]).toMatch(/^<missed-call\./)
  expect(ids[1]).toBe(ids[0])
  await lectern.stop()
  await lectern.start()
  expect(received).toHaveLength(2)
})
