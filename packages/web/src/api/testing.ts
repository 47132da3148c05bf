import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Api } from './api.ts'

/** An HTTP server on a free port that runs the test's request listener. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    api: new Api(`http://127.0.0.1:${port}`),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
