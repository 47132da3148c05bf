import { ControlClient, platformEnvironment } from '@lectern/control-client'
import { describeControl } from '@lectern/control-client/testing'
import { afterAll, beforeAll } from 'vitest'
import { WebSocket } from 'ws'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let token: string
let tag: string
beforeAll(async () => {
  server = await startTestServer()
  const tokenOf = async (login: string) => {
    const { password } = await server.addUser(login)
    const { body } = await server.call('POST', '/api/v1.0/auth/login', { body: { login, password } })
    return String(body.access_token)
  }
  token = await tokenOf('ben')
  const owner = await tokenOf('anna')
  const { body } = await server.call('POST', '/api/v1.0/conferences', {
    token: owner,
    body: { title: 'Round' },
  })
  tag = String(body.tag)
})
afterAll(() => server?.close())

describeControl(async () => {
  let socket: WebSocket | undefined
  class CapturedWebSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols)
      socket = this
    }
  }
  const control = new ControlClient(platformEnvironment(CapturedWebSocket), {
    url: `${server.url.replace('http', 'ws')}/api/v1.0/control`,
    accessToken: async refusal => (refusal ? null : token),
    client: { name: 'test', version: '1', platform: 'node' },
  })
  return {
    control,
    tag,
    disconnect: () => socket?.terminate(),
    reconnect: () => control.online(),
    close: () => control.close(),
  }
})
