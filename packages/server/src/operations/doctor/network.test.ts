import { X509Certificate } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { DEPLOYMENT, LOOPBACK_ONLY, useDoctor } from './testing/diagnosis.ts'
import { certificate, otherKey, privateKey } from './testing.ts'

const { own, writeFile, diagnose } = useDoctor()

describe('the doctor, of ports and certificates,', () => {
  it('distinguishes a free port, one of our server and one of another program', async () => {
    const port = async (answer: string) => {
      const server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const env = { SVC_SERVER_PORT: String((server.address() as AddressInfo).port) }
      const taken = (await diagnose(env)).find('port')
      server.close()
      await once(server, 'close')
      return { taken, free: (await diagnose(env)).find('port') }
    }
    const ours = await port(`{"slides_available":true,"deployment_id":"${DEPLOYMENT}"}`)
    expect(ours.taken).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('The server is listening on'),
    })
    expect(ours.free).toMatchObject({ status: 'ok', says: expect.stringContaining('is free') })
    expect((await port('{"status":"ok","deployment_id":"d.theirs"}')).taken).toMatchObject({ status: 'fail' })
    expect((await port('hello')).taken).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('another program'),
    })
    expect(
      (await diagnose({ SVC_SERVER_HOST: '192.0.2.1', SVC_SERVER_PORT: '9' })).find('port'),
    ).toMatchObject({
      status: 'fail',
    })
  })

  it.each(['udp', 'tcp'])('reports a media port that another program has: %s', async protocol => {
    const other =
      protocol === 'udp' ? createSocket('udp4').bind(0, '127.0.0.1') : createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const Media = { ...LOOPBACK_ONLY, SVC_MEDIA_PORT: String(port), SVC_MEDIA_WORKERS: '1' }
    const report = await diagnose({ ...Media, SVC_SERVER_HOST: '127.0.0.1' })
    other.close()
    expect(report.find('media address')).toMatchObject({
      status: 'fail',
      says: `Media port 127.0.0.1:${port} is in use by another program.`,
    })
  })

  it('checks that certificate and key are readable, match and are valid', async () => {
    const cert = writeFile('cert.pem', certificate)
    const tls = async (key: string, host = 'test', proxy = '') => {
      const settings = { SVC_SERVER_TLS_CERT: cert, SVC_SERVER_TLS_KEY: key, SVC_SERVER_TRUST_PROXY: proxy }
      const found = await diagnose({ ...settings, SVC_INTEGRATION_PUBLIC_URL: `https://${host}` })
      return found.find('TLS')
    }
    const key = writeFile('key.pem', privateKey)
    expect(await tls(key)).toMatchObject({ status: 'ok' })
    expect(await tls(join(own.folder, 'none.pem'))).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('ENOENT'),
    })
    expect(await tls(writeFile('other.pem', otherKey))).toMatchObject({ status: 'fail' })
    expect(await tls(key, 'meet.example.org')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('not for meet.example.org'),
    })
    expect(await tls(key, '203.0.113.7')).toMatchObject({ status: 'fail' })
    expect(await tls(key, 'meet.example.org', 'loopback')).toMatchObject({ status: 'ok' })

    const start = Date.parse(new X509Certificate(certificate).validFrom)
    vi.useFakeTimers({ toFake: ['Date'], now: start - 60_000 })
    expect(await tls(key)).toMatchObject({ status: 'fail', says: expect.stringContaining('valid from 2026') })
    vi.useRealTimers()
    const end = Date.parse(new X509Certificate(certificate).validTo)
    vi.useFakeTimers({ toFake: ['Date'], now: end - 3 * 86_400_000 })
    expect(await tls(key)).toMatchObject({ status: 'warn', says: expect.stringContaining('3 days') })
    vi.setSystemTime(end + 1000)
    expect(await tls(key)).toMatchObject({ status: 'fail', says: expect.stringContaining('expired') })
  })
})
