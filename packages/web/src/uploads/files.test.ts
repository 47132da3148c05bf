import { afterEach, expect, it } from 'vitest'
import { serve } from '../api/testing.ts'
import { loadContent } from './files.ts'

let close = async () => {}
afterEach(() => close())

it('distinguishes a file that is gone from one that cannot be loaded now', async () => {
  let status = 200
  const server = await serve((_, response) => void response.writeHead(status).end('x = 3'))
  close = server.close
  const access = { conference: null, serverUrl: server.url, accessToken: async () => 'token' }
  const load = async (answered: number) => {
    status = answered
    const content = await loadContent(access, 'b_1')
    return content instanceof Blob ? content.text() : content
  }
  expect(await load(200)).toBe('x = 3')
  expect(await load(404)).toBe('missing')
  expect(await load(503)).toBeNull()
  await server.close()
  expect(await load(200)).toBeNull()
})
