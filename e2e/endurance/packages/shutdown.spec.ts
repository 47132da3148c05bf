import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { useLectern } from '../../support/lectern.ts'
import { waitFor } from '../../support/wait.ts'

const WRITERS = 8

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
let authorization: string
beforeAll(async () => {
  const { serviceAccount: service_account, clientSecret: client_secret } = await lectern.addAccount()
  const response = await fetch(`${lectern.url}/api/v1/integration/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service_account, client_secret }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  authorization = `Bearer ${access_token}`
})

const room = (id: string) => `${lectern.url}/api/v1/integration/rooms/${id}`

describe('SIGTERM', () => {
  it('completes requests in progress, accepts no new ones, and exits with 0', async () => {
    const begun = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => begin(`begun-${writer}`)))
    const ended = lectern.stop('SIGTERM')
    await waitFor(refusesConnections, 'the server takes no new connection')
    for (const { id, put } of begun) put.end(JSON.stringify({ title: `Room ${id}` }))
    const answers = await Promise.all(begun.map(({ answer }) => answer))
    expect(answers).toEqual(
      begun.map(({ id }) => expect.objectContaining({ result: 200, external_id: id, title: `Room ${id}` })),
    )
    expect(await ended).toEqual({ code: 0, signal: null })

    await lectern.start()
    for (const { id } of begun)
      expect(await (await fetch(room(id), { headers: { authorization } })).json()).toMatchObject({
        title: `Room ${id}`,
      })
  })

  it('truncates no response under load, and keeps every acknowledged write', async () => {
    const answered: string[] = []
    const write = async (writer: number) => {
      for (let step = 0; ; step++) {
        const id = `storm-${writer}-${step}`
        const headers = { authorization, 'content-type': 'application/json' }
        const body = JSON.stringify({ title: id, description: 'x'.repeat(5000) })
        const response = await fetch(room(id), { method: 'PUT', headers, body }).catch(() => null)
        if (!response) return // the connection was refused: the server is stopping
        expect(await response.json()).toMatchObject({ result: 200, external_id: id, title: id })
        answered.push(id)
      }
    }
    const storm = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
    await Promise.race([storm, waitFor(() => answered.length > 100, 'enough requests are answered')])
    expect(await lectern.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    await storm

    await lectern.start()
    for (const id of answered)
      expect(await (await fetch(room(id), { headers: { authorization } })).json()).toMatchObject({
        title: id,
      })
  })
})

/** Starts a PUT whose headers the server has read but whose body is outstanding. */
async function begin(id: string): Promise<{ id: string; put: ClientRequest; answer: Promise<unknown> }> {
  const headers = { authorization, 'content-type': 'application/json', expect: '100-continue' }
  const put = request(room(id), { method: 'PUT', headers, agent: false })
  const answer = once(put, 'response').then(([response]) => json(response as IncomingMessage))
  put.flushHeaders()
  await once(put, 'continue')
  return { id, put, answer }
}

const refusesConnections = () =>
  fetch(`${lectern.url}/healthz`, { headers: { connection: 'close' } }).then(
    () => false,
    () => true,
  )
