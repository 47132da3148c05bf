import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

// The minimal broadcast server: `ws`, and a fixed text to all clients for every received frame. No bindings, streams,
// results, limits or logs.

const [text] = process.argv.slice(2) as [string]
const server = new WebSocketServer({
  host: '127.0.0.1',
  port: 0,
  perMessageDeflate: false,
  skipUTF8Validation: true,
})
server.on('connection', socket =>
  socket.on('message', () => {
    for (const client of server.clients) client.send(text)
  }),
)
await once(server, 'listening')
console.log(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
process.on('SIGTERM', () => process.exit(0))
