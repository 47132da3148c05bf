import { ControlClient, changeBoard, platformEnvironment, WatchedPage } from '@lectern/control-client'
import { FIRST_PAGE_ID, versionsOfPage } from '@lectern/protocol/control'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { strokeBody } from './testing/drawer.ts'

const TIMEOUT_MS = 60_000

let server: TestServer
const clients: ControlClient[] = []
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const client of clients) client.close()
  await server?.close()
})

const tokenOf = async (login: string) => {
  const { password } = await server.addUser(login)
  const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
  return String(body.access_token)
}

/** A client over a real network, which can lose its socket. */
async function enter(token: string, tag: string) {
  const sockets: WebSocket[] = []
  class CapturedWebSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols)
      sockets.push(this)
    }
  }
  const client = new ControlClient(platformEnvironment(CapturedWebSocket), {
    url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
    accessToken: async refusal => (refusal ? null : token),
    client: { name: 'test', version: '1', platform: 'node' },
  })
  clients.push(client)
  client.open()
  const { conference_session_id: sessionId } = await client.command(
    'conference.join',
    { kind: 'conference', id: tag },
    {},
    { ttlMs: TIMEOUT_MS },
  )
  return { client, sessionId, cut: () => sockets.at(-1)?.terminate() }
}

it('C32 and C33: two clients without a browser draw, lose their connections and read the same page', async () => {
  const [anna, ben] = [await tokenOf('anna'), await tokenOf('ben')]
  const { body } = await server.call('POST', '/api/v1.0/conferences', {
    token: anna,
    body: { title: 'Round' },
  })
  const people = [await enter(anna, String(body.tag)), await enter(ben, String(body.tag))]
  const pages = people.map(({ client, sessionId }) => new WatchedPage(client, sessionId, FIRST_PAGE_ID))
  const strokes = people.flatMap(({ client, sessionId, cut }, person) =>
    Array.from({ length: 30 }, async (_, i) => {
      const body = strokeBody(`stroke-${person}-${100 + i}`)
      if (i === 20) cut()
      await changeBoard(
        client,
        sessionId,
        'board.put',
        body as Parameters<typeof changeBoard<'board.put'>>[3],
      )
    }),
  )
  await Promise.all(strokes)
  const versions = () => pages.map(({ elements }) => versionsOfPage(new Map(elements)))
  await vi.waitUntil(() => pages.every(({ elements }) => elements.size === 60), { timeout: TIMEOUT_MS })
  expect(versions()[0]).toBe(versions()[1])
  for (const page of pages) page.close()
  await vi.waitUntil(() => people[0]?.client.state.get().is === 'ready', { timeout: TIMEOUT_MS })
})

it('BOARD-2 accepts what a client sends at once in its order, as after hours without a connection', async () => {
  const carl = await tokenOf('carl')
  const { body } = await server.call('POST', '/api/v1.0/conferences', {
    token: carl,
    body: { title: 'Round' },
  })
  const { client, sessionId } = await enter(carl, String(body.tag))
  const page_id = FIRST_PAGE_ID
  const change = <N extends 'board.put' | 'board.move' | 'board.delete' | 'board.restore'>(
    name: N,
    body: object,
  ) => changeBoard(client, sessionId, name, { page_id, ...body } as Parameters<typeof changeBoard<N>>[3])
  const elementAt = (version: number) => ({ elements: [{ element_id: 'element-1', version }] })
  const answers = await Promise.all([
    change('board.put', strokeBody('element-1')),
    change('board.move', { dx: 5, dy: 5, ...elementAt(2) }),
    change('board.delete', elementAt(3)),
    change('board.restore', elementAt(4)),
    change('board.put', strokeBody('element-1', 5)),
    change('board.delete', elementAt(6)),
  ])
  const whole = { skipped: [] }
  expect(answers).toEqual([{}, whole, whole, whole, {}, whole])
})
