import { createECDH } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INI, useLectern } from '../testing.ts'

const { makeFolder, run, here } = useLectern()

/** A push service whose endpoints answer with the status that their path names. */
const pushService = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(Number(request.url?.slice(1))).end())
})
const origin = () => `http://127.0.0.1:${(pushService.address() as AddressInfo).port}`
beforeAll(() => new Promise<void>(done => pushService.listen(0, '127.0.0.1', done)))
afterAll(() => new Promise(done => pushService.close(done)))

/** A configuration with keys that the command line has printed, and an account with subscriptions. */
async function makeStore(...statuses: number[]): Promise<string> {
  const folder = makeFolder(INI)
  const { stdout } = await here.run(folder, ['push', 'keys'])
  writeFileSync(join(folder, 'lectern.ini'), `${INI}${stdout}AllowInsecureEndpoints = 1\n`)
  await here.json(folder, ['user', 'add', 'anna'])
  const Database = createRequire(import.meta.url)('better-sqlite3')
  const db = new Database(join(folder, 'data', 'lectern.db'))
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const insert =
    db.prepare(`INSERT INTO push_subscriptions (client_id, endpoint, provider, token, p256dh, auth,
    permission, platform, user_agent, expiration_time, subscription_json, updated_at)
    VALUES (1, ?, ?, '', ?, 'AAAAAAAAAAAAAAAAAAAAAA', 'granted', 'web', 'Firefox', NULL, '{}', ?)`)
  const key = curve.getPublicKey('base64url')
  for (const [index, status] of statuses.entries())
    insert.run(`${origin()}/${status}`, 'webpush', key, 1_900_000_000 - index)
  insert.run('secret-token', 'native_push', '', 1)
  insert.run(`${origin()}/202`, 'webpush', key, 2)
  db.exec(`INSERT INTO auth_sessions (id, user_id, generation, created_at, expires_at) VALUES ('s', 1, 1, 1, 9999999999);
    INSERT INTO push_subscription_sign_ins (client_id, endpoint, auth_session_id) SELECT client_id, endpoint, 's' FROM push_subscriptions
    WHERE endpoint NOT LIKE '%/202'`)
  db.close()
  return folder
}

describe('lectern push', () => {
  it.concurrent('prints a pair of keys that the configuration accepts', async () => {
    const folder = makeFolder(INI)
    const keys = await here.json(folder, ['push', 'keys'])
    expect(keys).toEqual({
      vapid_public_key: expect.stringMatching(/^[\w-]{87}$/),
      vapid_private_key: expect.stringMatching(/^[\w-]{43}$/),
    })
    const doctor = async (push: string) => {
      writeFileSync(join(folder, 'lectern.ini'), `${INI}[Push]\n${push}`)
      const { checks } = JSON.parse((await here.run(folder, ['doctor', '--json'])).stdout)
      const find = (name: string) => checks.find((check: { name: string }) => check.name === name)
      return find('push') ?? find('config')
    }
    const pair = `VapidPublicKey = ${keys.vapid_public_key}\nVapidPrivateKey = ${keys.vapid_private_key}\n`
    expect(await doctor(`Enabled = 1\nSubject = mailto:a@example.org\n${pair}`)).toMatchObject({
      status: 'ok',
    })
    expect(await doctor(pair)).toMatchObject({ status: 'warn', says: 'Configured, but disabled.' })
    const other = await here.json(folder, ['push', 'keys'])
    const mixed = pair.replace(keys.vapid_public_key, other.vapid_public_key)
    expect(await doctor(mixed)).toMatchObject({
      status: 'fail',
      says: '[Push] VapidPrivateKey does not belong to VapidPublicKey',
    })
  })

  it.concurrent('sends a test and prints what each push service answered', async () => {
    const folder = await makeStore(201, 410, 403)
    const { results } = await here.json(folder, ['push', 'test', 'anna'])
    expect(
      results.map(({ answer, accepted, removed }: Record<string, unknown>) => [answer, accepted, removed]),
    ).toEqual([
      ['HTTP 201', true, false],
      ['HTTP 410', false, true],
      ['HTTP 403', false, false],
      ['ENDED', false, false],
      ['NO_SENDER', false, false],
    ])
    const { stdout } = await here.run(folder, ['push', 'subscriptions', 'anna'])
    expect(stdout).toContain(origin())
    expect(stdout).not.toMatch(/secret-token|\/201|\/410/)
    expect(stdout.trim().split('\n')).toHaveLength(5)
  })

  it.concurrent('removes one subscription, or all', async () => {
    const folder = await makeStore(201, 403)
    expect((await here.run(folder, ['push', 'remove', 'anna', '2'])).stdout).toBe('Removed 1 subscription.\n')
    expect((await here.run(folder, ['push', 'remove', 'anna', '4'])).stderr).toBe(
      'lectern: anna has no subscription 4.\n',
    )
    expect(await here.json(folder, ['push', 'remove', 'anna'])).toMatchObject({
      removed: [{ provider: 'webpush' }, {}, {}],
    })
    const test = await run(folder, ['push', 'test', 'anna'])
    expect(test).toMatchObject({ code: 1, stdout: expect.stringContaining('has no subscriptions') })
    expect(await here.json(folder, ['push', 'queue'])).toEqual({ pushes: [], more: false })
  })

  it.concurrent('reports an unknown account, disabled push, and settings that are incomplete', async () => {
    const unknown = await here.run(makeFolder(INI), ['push', 'subscriptions', 'nobody'])
    expect(unknown).toMatchObject({ code: 1, stderr: 'lectern: There is no user nobody.\n' })
    const disabled = await here.run(makeFolder(INI), ['push', 'test', 'nobody'])
    expect(disabled).toMatchObject({ code: 1, stderr: expect.stringContaining('set [Push] Enabled = 1') })
    const incomplete = await here.run(makeFolder(`${INI}[Push]\nEnabled = 1\n`), ['push', 'queue'])
    expect(incomplete.stderr).toContain('"lectern push keys" makes them')
  })
})
