import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PartnerClient } from './index.ts'
import { answer, ScriptedServer } from './scripted-server.ts'

const vectors = new URL('../../../clients/vectors/requests.json', import.meta.url)

interface Case {
  version: 1 | 2
  call: string
  ids?: string[]
  body?: object
  /** Sent as it is. */
  content?: string
  filters?: object
  /** Method and address. */
  request: string
}
const { calls }: { calls: Case[] } = JSON.parse(readFileSync(vectors, 'utf8'))

let server: ScriptedServer
let client: PartnerClient
beforeEach(async () => {
  server = await ScriptedServer.open()
  const account = { serviceAccount: 'school', clientSecret: 'a-very-secret-secret' }
  client = new PartnerClient({ baseUrl: server.url, ...account, retryDelaysMs: [0] })
})
afterEach(() => server.close())

describe('the requests that the clients of all languages share', () => {
  it('include every method', () => {
    const methodsOf = (object: object | null): string[] =>
      object === null || object === Object.prototype
        ? []
        : [...Object.getOwnPropertyNames(object), ...methodsOf(Object.getPrototypeOf(object))]
    const own = ['constructor', 'forgetToken', 'downloadBlob', 'listRecordings'] // tests of their own
    const first = methodsOf(PartnerClient.prototype).filter(name => !own.includes(name))
    const second = methodsOf(Object.getPrototypeOf(client.v2)).filter(
      name => !['constructor', 'get', 'send', 'upload', 'post', 'text', 'events'].includes(name),
    )
    const named = (version: number) =>
      new Set(calls.filter(each => each.version === version).map(each => each.call))
    expect(named(1)).toEqual(new Set(first))
    expect(named(2)).toEqual(new Set(second))
  })

  it.each(calls)(
    'TypeScript: $version.$call',
    async ({ version, call, ids = [], body, content, filters, request }) => {
      const target = (version === 1 ? client : client.v2) as unknown as Record<
        string,
        (...args: unknown[]) => Promise<unknown>
      >
      server.play(answer(503))
      const sent = body ?? (content === undefined ? undefined : Buffer.from(content))
      await target[call]?.(...ids, ...(sent ? [sent] : []), ...(filters ? [filters] : []))
      const [first, second] = server.seen
      expect(`${second?.method} ${second?.url}`).toBe(request)
      if (body) expect(JSON.parse(second?.body ?? '')).toEqual(body)
      if (content !== undefined) expect([first?.body, second?.body]).toEqual([content, content])
      // Retries have the key of the first attempt.
      const keys = [first, second].map(each => each?.headers['idempotency-key'])
      expect(keys[0]).toBe(keys[1])
      expect(keys[0] !== undefined).toBe(version === 2 && request.startsWith('POST'))
    },
  )

  it('may have a key of your own', async () => {
    await client.v2.sendMessage('x', { text: 'Hello' }, { idempotencyKey: 'mine' })
    expect(server.seen[0]?.headers['idempotency-key']).toBe('mine')
  })

  it('refuse ids that no address can have', async () => {
    for (const id of ['', '.', '..', 'a\0b', '\ud800'])
      await expect(client.v2.getPerson('room', id)).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(server.seen).toEqual([])
  })
})

describe('the events of version 2', () => {
  it('are iterated page by page, and the position after them is known', async () => {
    const page = (ids: string[], next: number | null, last: number) =>
      answer(200, { result: 200, events: ids.map(id => ({ id })), next, last })
    server.play(page(['evt_1', 'evt_2'], 9, 9), page(['evt_3'], null, 11))
    const events = client.v2.events({ after: 7, limit: 2 })
    const found: [string, number][] = []
    for await (const { id } of events) found.push([id, events.last])
    expect(found).toEqual([
      ['evt_1', 7],
      ['evt_2', 7],
      ['evt_3', 9],
    ])
    expect(events.last).toBe(11)
    expect(server.seen.map(({ url }) => url.split('?')[1])).toEqual(['limit=2&after=7', 'limit=2&after=9'])
  })
})
