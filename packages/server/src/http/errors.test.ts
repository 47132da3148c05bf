import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createLog } from '../platform/log.ts'
import { exchange, parseAnswer } from '../testing/http.ts'
import { refused } from '../testing/refused.ts'
import { sendClientError } from './errors.ts'

it('a request that does not arrive in time is answered with 408', async () => {
  const server = createServer({ requestTimeout: 50, headersTimeout: 50, connectionsCheckingInterval: 10 })
  server.on('clientError', sendClientError(createLog('silent')) as never)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const half = 'POST /api/v1.0/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{'
  const answer = parseAnswer(await exchange(`http://127.0.0.1:${port}`, half))
  expect(answer).toEqual(refused(408, 'request_timeout', expect.stringContaining('again')))
  expect(answer.headers).toMatchObject({ connection: 'close', 'x-request-id': expect.any(String) })
  server.close()
})
