import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ClamdServer, EICAR, startClamd } from '../../testing/clamd.ts'
import { Clamd, ScannerUnavailable } from './clamd.ts'

const chunks =
  (...pieces: Buffer[]) =>
  async () =>
    (async function* () {
      yield* pieces
    })()

let clamd: ClamdServer
beforeAll(async () => {
  clamd = await startClamd(['StreamMaxLength 1M', 'MaxFileSize 500K', 'AlertExceedsMax yes'])
})
afterAll(() => clamd.stop())

describe('clamd', () => {
  const scan = (...pieces: Buffer[]) => new Clamd({ address: { path: clamd.path } }).scan(chunks(...pieces))

  it('finds what is in a file that arrives in pieces, and nothing else', async () => {
    expect(await scan(EICAR.subarray(0, 20), Buffer.alloc(0), EICAR.subarray(20))).toEqual({
      is: 'infected',
      signature: 'Eicar-Test-Signature.UNOFFICIAL',
    })
    expect(await scan(Buffer.from('a text'))).toEqual({ is: 'clean' })
    expect(await scan()).toEqual({ is: 'clean' })
  })

  it.each([
    ['the whole stream', 40],
    ['a file', 12],
  ])('says so when it does not scan all of it, by its limit of %s', async (_limit, pieces) => {
    expect(await scan(...Array(pieces).fill(Buffer.alloc(50_000)))).toEqual({ is: 'too-large' })
  })

  it('passes on why a file cannot be read', async () => {
    const failing = async () => {
      throw new Error('the disk is gone')
    }
    await expect(new Clamd({ address: { path: clamd.path } }).scan(failing)).rejects.toThrow(
      'the disk is gone',
    )
  })
})

/** A server that answers each connection in a way of its own. */
async function serve(answer: (socket: Socket, connection: number) => void) {
  let connections = 0
  const server = createServer(socket => {
    socket.on('error', () => {}).resume()
    answer(socket, ++connections)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const client = new Clamd({ address: { host: '127.0.0.1', port }, timeoutMs: 300 })
  return { scan: () => client.scan(chunks(Buffer.from('a text'))), connections: () => connections }
}

describe('a server at the address of clamd', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['does not answer', () => {}],
    ['answers something else', socket => void socket.write('HTTP/1.1 400 Bad Request\0')],
    ['answers without an end', socket => void socket.write('x'.repeat(5_000))],
    ['always closes', socket => void socket.destroy()],
    ['has no connections left', socket => void socket.end('COMMAND READ TIMED OUT\0')],
  ])('that %s finds no file clean', async (_what, answer) => {
    await expect((await serve(answer)).scan()).rejects.toThrow(ScannerUnavailable)
  })

  it('that closes while it restarts is asked once more', async () => {
    const { scan, connections } = await serve((socket, connection) => {
      if (connection === 1) socket.destroy()
      else socket.write('stream: OK\0')
    })
    expect([await scan(), connections()]).toEqual([{ is: 'clean' }, 2])
  })

  it('that is not there finds no file clean', async () => {
    const client = new Clamd({ address: { path: '/nowhere/clamd.ctl' } })
    await expect(client.scan(chunks(EICAR))).rejects.toThrow('clamd cannot be used: ENOENT')
  })
})
