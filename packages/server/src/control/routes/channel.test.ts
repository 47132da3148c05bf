import { json } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { exchange, parseAnswer } from '../../testing/http.ts'
import { enterLink, type Partner, tokenOf } from '../../testing/partner.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { MAX_FRAME_BYTES, MAX_PAYLOAD_BYTES } from '../limits/constants.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const sockets: WebSocket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})

/** A socket of the control channel and what the server says on it. */
function dial(options: ClientOptions & { protocols?: string[] } = {}) {
  const { protocols = ['svc.control'], ...more } = options
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1.0/control`, protocols, more)
  sockets.push(socket)
  socket.on('error', () => {}) // a close follows
  const frames: Record<string, unknown>[] = []
  socket.on('message', data => frames.push(JSON.parse(String(data))))
  const opened = new Promise<void>(resolve => socket.once('open', resolve))
  const closed = new Promise<[number, string]>(resolve =>
    socket.once('close', (code, reason) => resolve([code, String(reason)])),
  )
  const refused = new Promise<unknown>(resolve =>
    socket.once('unexpected-response', async (_request, response) =>
      resolve({ status: response.statusCode, body: await json(response) }),
    ),
  )
  return { socket, frames, opened, closed, refused }
}

const login = (access_token: string, more: object = {}) => ({
  login: { access_token, client: { name: 'test', version: '1', platform: 'node' }, ...more },
})

/** Logs in without an offer, and waits for the answer. */
async function connect(token: string, more?: object) {
  const dialled = dial()
  await dialled.opened
  dialled.socket.send(JSON.stringify(login(token, more)))
  await expect.poll(() => dialled.frames.length).toBeGreaterThan(0)
  return dialled
}

const refusal = (status: number, code: string) => ({
  status,
  body: { result: status, code, message: expect.any(String) },
})
const becomeGuest = async () =>
  (await server.call('POST', '/api/v1.0/auth/guest')).body.access_token as string

describe('the handshake', () => {
  it('requires the subprotocol', async () => {
    for (const protocols of [[], ['svc.other']])
      expect(await dial({ protocols }).refused).toEqual(refusal(400, 'invalid_argument'))
    const both = dial({ protocols: ['svc.other', 'svc.control'] })
    await both.opened
    expect(both.socket.protocol).toBe('svc.control')
  })

  it('accepts pages of its own origin and programs, but no page of another origin (rule W1)', async () => {
    for (const origin of ['https://evil.example', 'null', `${server.url}.evil.example`])
      expect(await dial({ origin }).refused).toEqual(refusal(403, 'permission_denied'))
    await dial({ origin: server.url }).opened
    await dial().opened
  })

  it('answers plain HTTP with 426 Upgrade Required', async () => {
    const response = await fetch(`${server.url}/api/v1.0/control`)
    expect({ status: response.status, body: await response.json() }).toEqual(refusal(426, 'upgrade_required'))
    const { headers } = response
    expect([headers.get('upgrade'), headers.get('connection')]).toEqual(['websocket', 'upgrade'])
  })

  it.each([
    ['another version', 'Sec-WebSocket-Version', '7', 426],
    ['no version', 'Sec-WebSocket-Version', null, 426],
    ['no key', 'Sec-WebSocket-Key', null, 400],
    ['a key that is too short', 'Sec-WebSocket-Key', 'abc=', 400],
    ['a subprotocol twice', 'Sec-WebSocket-Protocol', 'svc.control, svc.control', 400],
    ['a malformed subprotocol', 'Sec-WebSocket-Protocol', 'svc.control, a b', 400],
  ] as const)('is refused as every request is: %s', async (_, changed, value, status) => {
    const headers = {
      Host: 'a',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Protocol': 'svc.control',
      [changed]: value,
    }
    const lines = Object.entries(headers).flatMap(([name, each]) => (each === null ? [] : `${name}: ${each}`))
    const answer = parseAnswer(
      await exchange(server.url, ['GET /api/v1.0/control HTTP/1.1', ...lines, '', ''].join('\r\n')),
    )
    expect({ status: answer.status, body: answer.body }).toEqual(
      refusal(status, status === 426 ? 'upgrade_required' : 'invalid_argument'),
    )
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
    if (status === 426)
      expect(answer.headers).toMatchObject({
        connection: 'close, upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13, 8',
      })
  })
})

describe('the login', () => {
  it('is refused with an unknown token, a forged link, the link of another person, and an unknown field', async () => {
    const guest = await becomeGuest()
    const room = await school.room('lesson', { teacher: { external_id: 'teacher-7' } })
    const offer = { versions: [1], require_version: 2, profiles: ['svc.control.v2.core'] }
    for (const [frame, close, code] of [
      [login('wrong'), 4401, 'unauthenticated'],
      [login(guest, { protocol_offer: offer }), 4400, 'protocol_unsupported'],
      [login(guest, { join_token: `${tokenOf(room.student_join_url)}x` }), 4401, 'link_invalid'],
      [login(guest, { join_token: tokenOf(room.teacher_join_url) }), 4403, 'permission_denied'],
      [login(guest, { more: 1 }), 4400, 'invalid_argument'],
    ] as const) {
      const { socket, opened, closed, frames } = dial()
      await opened
      socket.send(JSON.stringify(frame))
      expect(await closed).toEqual([close, code])
      const error = { code, message: expect.any(String) }
      expect(frames).toEqual([{ login_result: { ok: false, error } }])
    }
  })
})

describe('a frame', () => {
  it.each([
    ['binary', Buffer.from('{}'), true, [4400, 'invalid_argument']],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), false, [4400, 'invalid_argument']],
    ['above the size limit', 'x'.repeat(MAX_FRAME_BYTES + 1), false, [4400, 'resource_exhausted']],
    ['so large that it is not read', 'x'.repeat(MAX_PAYLOAD_BYTES + 1), false, [1009, '']],
  ])('that is %s closes the connection', async (_, frame, binary, close) => {
    const { socket, closed } = await connect(await becomeGuest())
    socket.send(frame, { binary })
    expect(await closed).toEqual(close)
  })
})

const SESSION_ENDED = [4401, 'session_ended']

describe('W15 open connections of an account', () => {
  const signIn = async (name: string, password: string) =>
    (await server.call('POST', '/api/v1.0/auth/login', { body: { login: name, password } })).body
      .access_token as string
  /** Whether commands are still answered. */
  const isOpen = async ({ socket, frames }: Awaited<ReturnType<typeof connect>>) => {
    socket.send(JSON.stringify({ id: '1', command: 'conference.leave', params: {} }))
    await expect.poll(() => frames.some(({ id }) => id === '1')).toBe(true)
    return true
  }

  it('close when another sign-in changes the password, except those of that sign-in', async () => {
    const { password } = await server.addUser('anna')
    const [own, other] = [await signIn('anna', password), await signIn('anna', password)]
    const [ownSocket, otherSocket] = [await connect(own), await connect(other)]
    const body = { current: password, new: 'a new password' }
    expect((await server.call('POST', '/api/v1.0/me/password', { token: own, body })).status).toBe(200)
    expect(await otherSocket.closed).toEqual(SESSION_ENDED)
    expect(await isOpen(ownSocket)).toBe(true)
  })

  it('close when their sign-in is ended from another device', async () => {
    const { password } = await server.addUser('ben')
    const [own, other] = [await signIn('ben', password), await signIn('ben', password)]
    const [ownSocket, otherSocket] = [await connect(own), await connect(other)]
    const { body } = await server.call('GET', '/api/v1.0/me/sign-ins', { token: other })
    const { id } = body.sign_ins.find((each: { is_current: boolean }) => each.is_current)
    await server.call('DELETE', `/api/v1.0/me/sign-ins/${id}`, { token: own })
    expect(await otherSocket.closed).toEqual(SESSION_ENDED)
    expect(await isOpen(ownSocket)).toBe(true)
  })

  it('close when an invitation resets the password, and when an operator deletes the account', async () => {
    const { password } = await server.addUser('carla')
    const before = await connect(await signIn('carla', password))
    const { token } = await server.operator.users.invite('carla')
    const body = { password: 'set again' }
    await server.call('POST', `/api/v1.0/invitations/${token}`, { body })
    expect(await before.closed).toEqual(SESSION_ENDED)
    const after = await connect(await signIn('carla', 'set again'))
    await server.operator.users.remove('carla')
    expect(await after.closed).toEqual([4410, 'account_deleted'])
  })

  it('close when a partner changes the person of their link', async () => {
    const room = await school.room('rotated', { teacher: { external_id: 'teacher-1' } })
    const { body } = await enterLink(server.call, room.teacher_join_url)
    const teacher = await connect(body.access_token, { join_token: tokenOf(room.teacher_join_url) })
    await school.patch('rotated', { teacher: { external_id: 'teacher-2' } })
    expect(await teacher.closed).toEqual([4403, 'link_rotated'])
  })

  it('of a worker follow its capabilities', async () => {
    const { password } = await server.addUser('worker', { kind: 'worker', capabilities: ['jobs.recorder'] })
    const { socket, frames } = await connect(await signIn('worker', password))
    const lease = async (id: string) => {
      const target = { kind: 'operation', id: 'recording' }
      socket.send(
        JSON.stringify({ id, command: 'job.lease', target, params: { worker_id: 'w', holding: [] } }),
      )
      await expect.poll(() => frames.some(frame => frame.id === id)).toBe(true)
      return frames.find(frame => frame.id === id)
    }
    expect(await lease('1')).toMatchObject({ result: {} })
    await server.operator.users.set('worker', { capabilities: ['jobs.transcriber'] })
    expect(await lease('2')).toMatchObject({ error: { code: 'permission_denied' } })
    await server.operator.users.set('worker', { capabilities: ['jobs.recorder'] })
    expect(await lease('3')).toMatchObject({ result: {} })
  })
})
