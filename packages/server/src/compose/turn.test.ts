import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { Keys } from '../accounts/keys.ts'
import { loadConfig } from '../platform/config/index.ts'
import { Lifetime } from '../platform/lifetime.ts'
import { freePort } from '../testing/free-port.ts'
import { JWT_SECRET } from '../testing/server.ts'
import type { ServerContext } from './context.ts'
import { composeTurn } from './turn.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-turn-'))
const lines: { msg: string; pid?: number }[] = []
const log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line)) })
const lifetime = new Lifetime(log)
afterEach(async () => {
  await lifetime.close()
  rmSync(folder, { recursive: true })
})

describe('the supervised TURN server', () => {
  it('has the address of now: that of a name which had none at the start, and another one later', async () => {
    const config = loadConfig(undefined, {
      SVC_SERVER_DATA_DIR: folder,
      SVC_MEDIA_LISTEN_IP: '0.0.0.0',
      SVC_MEDIA_ANNOUNCED_ADDRESS: 'nowhere.invalid',
      SVC_TURN_EMBEDDED: '1',
      SVC_TURN_PORT: String(await freePort()),
    })
    const Media = { ...config.Media }
    let check: () => unknown = () => expect.unreachable()
    const scheduler = {
      add: ({ run }: { run: () => unknown }) => {
        check = run
      },
    }
    const context = { config: { ...config, Media }, log, lifetime, scheduler } as unknown as ServerContext
    const turn = await composeTurn(context, new Keys(JWT_SECRET))
    const urls = () => turn.settings().urls
    const pids = () => lines.flatMap(({ msg, pid }) => (msg === 'coturn started' ? pid : []))
    const coturn = () => readFileSync(join(folder, 'turn/turnserver.conf'), 'utf8')
    expect(urls()).toEqual([])
    for (const [count, address] of ['203.0.113.7', '203.0.113.8'].entries()) {
      Media.AnnouncedAddress = address
      await check()
      await check()
      expect(urls()).toContain(`turn:${address}:${config.Turn.Port}?transport=udp`)
      expect(coturn()).toMatch(`external-ip=${address}/`)
      expect(pids()).toHaveLength(count + 1)
    }
    // As without a network.
    Media.AnnouncedAddress = '127.0.0.1'
    await check()
    expect(urls()).toContain(`turn:203.0.113.8:${config.Turn.Port}?transport=udp`)
    expect(pids()).toHaveLength(2)
    const [first = 0] = pids()
    expect(() => process.kill(first, 0)).toThrow('ESRCH')
    expect(lines.map(({ msg }) => msg)).not.toContain('coturn exited and is restarted')
  })
})
