import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { INI, send, useLectern } from '../testing.ts'

const { makeFolder, run, launch } = useLectern()

const isOpen = (port: number, host: string) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, host, () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
  })

describe('lectern serve', () => {
  it.concurrent('prints one line when ready, lets the group of a proxy read the files that it sends and nothing else, logs JSON to standard error, and exits with 0 on SIGTERM', async () => {
    const sendfile = 'Url = files\nSendfileHeader = X-Accel-Redirect\n'
    const folder = makeFolder(
      `${INI.replace('Port = 0', 'Port = 0\nTrustProxy = loopback')}[Storage]\n${sendfile}`,
    )
    const server = await launch(folder, ['serve', '--config', 'lectern.ini'])
    const { ready, url } = server.first()
    expect(ready).toBe(true)
    expect((await send(`${url}/healthz`, 'GET')).status).toBe(200)
    const modeOf = (path: string) => statSync(join(folder, path)).mode & 0o777
    expect(modeOf('files')).toBe(0o750)
    for (const path of ['data', ...readdirSync(join(folder, 'data')).map(name => `data/${name}`)])
      expect(modeOf(path) & 0o077, path).toBe(0)

    expect(await server.stop('SIGTERM')).toBe(0)
    expect(server.output.stdout).toBe(`${JSON.stringify({ ready: true, url })}\n`)
    for (const line of server.output.stderr.trim().split('\n'))
      expect(JSON.parse(line)).toHaveProperty('level')
  })

  it.concurrent('reads the file in SVC_CONFIG, denies other users access to its files and to folders of older versions, and exits with 0 on SIGINT', async () => {
    const folder = makeFolder(INI)
    mkdirSync(join(folder, 'data/blobs'), { recursive: true, mode: 0o755 })
    mkdirSync(join(folder, 'data/recorder'), { mode: 0o755 })
    const env = { SVC_CONFIG: join(folder, 'lectern.ini'), SVC_RECORDER_EMBEDDED: '1' }
    const server = await launch(makeFolder(), ['serve'], env)
    const filesOfRecorder = () => readdirSync(join(folder, 'data/recorder'))
    await expect.poll(filesOfRecorder).toContain('worker-id')
    const paths = readdirSync(join(folder, 'data'), { recursive: true, encoding: 'utf8' })
    expect(paths).toEqual(expect.arrayContaining(['lectern.db', 'lectern.db-wal', 'lectern.db-shm', 'blobs']))
    // Temporary files may be gone.
    const modeOf = (path: string) =>
      statSync(join(folder, 'data', path), { throwIfNoEntry: false })?.mode ?? 0
    expect(paths.filter(path => (modeOf(path) & 0o077) !== 0)).toEqual([])
    expect(await server.stop('SIGINT')).toBe(0)
  })

  it.concurrent('W16 completes requests in progress and exits with 0, although clients keep connections open that asked for an upgrade', async () => {
    const server = await launch(makeFolder(INI), ['serve'])
    const { hostname, port } = new URL(server.first().url)
    const sockets: Socket[] = []
    const ask = async (lines: string[]) => {
      const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
      sockets.push(socket.on('error', () => {})) // resets when the server exits
      socket.write([...lines, 'Host: x', 'Connection: Upgrade', '', ''].join('\r\n'))
      return String((await once(socket, 'data'))[0]).split('\r\n')[0]
    }
    expect(await ask(['GET /healthz HTTP/1.1', 'Upgrade: foo'])).toContain(' 200 ')
    const handshake = ['GET /api/v1.0/control HTTP/1.1', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    expect(await ask(handshake)).toContain(' 400 ')

    const body = JSON.stringify({ login: 'nobody', password: 'whatever' })
    const socket = connect(Number(port), hostname)
    const head = `POST /api/v1.0/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head + body.slice(0, 5))
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 100') // the request is in progress
    server.child.kill('SIGTERM')
    await expect.poll(() => isOpen(Number(port), hostname), { interval: 5 }).toBe(false)
    socket.write(body.slice(5))
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 401')
    expect((await server.ended)[0]).toBe(0)
    for (const open of sockets) open.destroy()
  })

  it.concurrent('exits with 1 immediately on a second signal', async () => {
    const server = await launch(makeFolder(INI), ['serve'])
    const { hostname, port } = new URL(server.first().url)
    const socket = connect(Number(port), hostname)
    const head =
      'POST /api/v1.0/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n'
    socket.on('error', () => {}).write(head) // never finished
    expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 100')
    server.child.kill('SIGTERM')
    server.child.kill('SIGINT') // within 500 ms, so it counts as the same signal
    await expect.poll(() => isOpen(Number(port), hostname), { interval: 5 }).toBe(false)
    await sleep(700) // the other process has no fake clock
    expect(server.child.exitCode).toBeNull()
    expect(await server.stop('SIGTERM')).toBe(1)
  })

  it.concurrent.each([
    [
      'a port in use',
      { SVC_SERVER_HOST: '127.0.0.1' },
      /^lectern: Cannot listen on 127\.0\.0\.1:\d+: the port is in use.*\[Server\] Port/,
    ],
    [
      'an address of another machine',
      { SVC_SERVER_HOST: '192.0.2.1' },
      /^lectern: Cannot listen on 192\.0\.2\.1:\d+: .*\[Server\] Host/,
    ],
    [
      'a missing TLS file',
      { SVC_SERVER_TLS_CERT: 'no.pem', SVC_SERVER_TLS_KEY: 'no.key' },
      /^lectern: .*no\.pem/,
    ],
  ])('reports %s in one line and exits with 1', async (_, env, line) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const settings = { SVC_SERVER_PORT: String(port), SVC_SERVER_LOG_LEVEL: 'silent', ...env }
    const { code, stdout, stderr } = await run(makeFolder(INI), ['serve'], {
      env: settings as Record<string, string>,
    })
    taken.close()
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 })
    expect(stderr).toMatch(line)
  })

  it.concurrent('does not share its database with a second server, and starts again after kill -9', async () => {
    const folder = makeFolder(INI)
    const first = await launch(folder, ['serve'])
    const second = await run(folder, ['serve'])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(/^lectern: Another server is using .*lectern\.db: stop it, .*\n$/)
    expect((await send(`${first.first().url}/readyz`, 'GET')).status).toBe(200)
    await first.stop('SIGKILL')
    const third = await launch(folder, ['serve'])
    expect(await third.stop()).toBe(0)
  })

  it.concurrent('names the file and the line of an unknown configuration key', async () => {
    const { code, stderr } = await run(makeFolder('[Server]\nPrt = 1\n'), ['serve'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^lectern: lectern\.ini:2: unknown key Prt; .*\n$/)
  })

  it.concurrent('reports a database file that is not a database', async () => {
    const folder = makeFolder(INI)
    const { code, stderr } = await run(folder, ['serve'], { env: { SVC_DB_URL: 'lectern.ini' } })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^lectern: cannot open the databases .*: .*\n$/)
  })
})
