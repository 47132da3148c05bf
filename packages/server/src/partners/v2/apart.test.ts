import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver } from '../../platform/delivery/testing/receiver.ts'
import { openTestArchive, type TestArchive } from '../../records/testing/archive.ts'
import { type ApiDocument, type ApiOperation, operationsOf } from '../../testing/api-document.ts'
import type { Answer } from '../../testing/http.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import {
  BASE,
  CREATING,
  everything,
  parametersOf,
  SCOPES,
  send,
  UNKNOWN,
  type Values,
} from './testing/operations.ts'
import { openTestCalls, type Version2, version2 } from './testing.ts'

let server: TestServer
let calls: Awaited<ReturnType<typeof openTestCalls>>
let archive: TestArchive
let receiver: Receiver
let api: Version2
let other: Version2
let mine: Values
let own: Values
let operations: [name: string, operation: ApiOperation][]
beforeAll(async () => {
  server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
  calls = await openTestCalls(server)
  archive = await openTestArchive(server)
  receiver = await startReceiver()
  const parts = { calls, archive, receiver }
  api = version2(server, await server.addPartner('school', { scopes: SCOPES }))
  other = version2(server, await server.addPartner('clinic', { scopes: SCOPES }))
  mine = await everything(parts, api, 'mine')
  own = await everything(parts, other, 'own')
  const document = (await server.call('GET', '/api/openapi.json')).body as ApiDocument
  operations = operationsOf(document).filter(
    ([name, { security }]) => name.includes(` ${BASE}/`) && security.some(each => 'service' in each),
  )
})
afterAll(async () => {
  await archive.close()
  await calls.close()
  await server.close()
  await receiver.close()
})

const shown = ({ status, body }: Answer) => ({ status, body })

describe('two partners', () => {
  const nameThings = () =>
    operations.filter(
      ([name, { parameters = [], operationId }]) =>
        !CREATING.includes(operationId) &&
        (parametersOf(name).length > 0 || parameters.some(each => each.name === 'room')),
    )

  it('APART-1 are refused what the other has as what nobody has, on every route of the reference', async () => {
    expect(nameThings().length).toBeGreaterThan(35)
    const everythingMine = async () => {
      const reads = nameThings().filter(([name]) => name.startsWith('GET'))
      return Promise.all(reads.map(async each => [each[0], shown(await send(api, each, mine))]))
    }
    const before = await everythingMine()
    expect(before.filter(([, answer]) => (answer as { status: number }).status !== 200)).toEqual([])
    for (const each of nameThings()) {
      const answer = shown(await send(other, each, mine))
      expect(answer.status, each[0]).toBe(404)
      expect(answer, each[0]).toEqual(shown(await send(other, each, UNKNOWN)))
      // Also the other's thing in a place of one's own. Some deletions are answered the same whether there was something.
      if (parametersOf(each[0]).length < 2 || each[0].startsWith('PUT')) continue
      const inside = shown(await send(other, each, own, mine))
      expect(inside, each[0]).toEqual(shown(await send(other, each, own, UNKNOWN)))
    }
    expect(await everythingMine()).toEqual(before)
  })

  it('APART-2 list and count nothing of each other', async () => {
    const lists = operations.filter(
      ([name, { parameters = [] }]) =>
        name.startsWith('GET') &&
        parametersOf(name).length === 0 &&
        !parameters.some(each => each.in === 'query' && each.required),
    )
    expect(lists.length).toBeGreaterThanOrEqual(4)
    const third = version2(server, await server.addPartner('museum', { scopes: SCOPES }))
    for (const [name] of lists) {
      const path = name.split(' ')[1]?.slice(BASE.length) ?? ''
      const { result: _, next: __, last: ___, ...found } = (await third('GET', path)).body
      expect(Object.values(found), name).toEqual([[]])
    }
    const month = new Date().toISOString().slice(0, 7)
    expect((await third('GET', `/usage?month=${month}`)).body).toMatchObject({ stored_bytes: 0, webhooks: 0 })
  })

  it('APART-3 have rooms of their own under the same ids', async () => {
    const { tag } = (await api('GET', '/rooms/mine')).body
    const again = (await other('PUT', '/rooms/mine', { body: { title: 'Anatomy' } })).body
    expect(again).toMatchObject({ created: true, title: 'Anatomy' })
    expect(again.tag).not.toBe(tag)
    expect((await api('GET', '/rooms/mine')).body).toMatchObject({ tag, title: 'Algebra' })
  })

  it('are refused without a valid token on every route', async () => {
    for (const [name, operation] of operations)
      for (const token of ['', 'rubbish']) {
        const without: Version2 = (method, path, options) => api(method, path, { ...options, token })
        expect((await send(without, [name, operation], mine)).status, name).toBe(401)
      }
  })

  it('are refused links to recordings without the scope, whosever technical user they have', async () => {
    const limited = version2(server, await server.addPartner('limited', { user: 'school-robot' }))
    const body = { path: 'recording.mkv', expires_in: 60 }
    expect(await limited('POST', '/recordings/job_mine/links', { body })).toEqual(
      refused(403, 'permission_denied'),
    )
  })
})
