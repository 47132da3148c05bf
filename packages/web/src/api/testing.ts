import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api } from './api.ts'

/** An HTTP server on a free port that runs the test's request listener. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    api: new Api(url),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
