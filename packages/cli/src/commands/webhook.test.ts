import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INI, useLectern } from '../testing.ts'

const { makeFolder, run, here } = useLectern()

/** A folder whose database has a webhook with one delivery per status. */
async function makeStore(): Promise<string> {
  const folder = makeFolder(INI)
  await here.json(folder, ['user', 'add', 'tech', '--kind', 'technical'])
  await here.json(folder, [
    'service-account',
    'add',
    'school',
    '--user',
    'tech',
    '--scope',
    'integration:rooms',
  ])
  const Database = createRequire(import.meta.url)('better-sqlite3')
  const db = new Database(join(folder, 'data', 'integration.db'))
  db.exec(`INSERT INTO webhook_subscriptions (service_account, url, secret, events, enabled, created_at, updated_at) VALUES
    ('school', 'https://1.1.1.1/?key=of-the-url', 'secret-of-the-webhook', '["recording.ready"]', 1, 1, 1)`)
  const insert = db.prepare(`INSERT INTO webhook_deliveries
    (id, service_account, event, subject, body, status, attempts, next_attempt_at_ms, response_status, error,
     created_at, updated_at)
    VALUES (?, 'school', 'recording.ready', 'recording:' || ?, '{"word":"of-the-event"}', ?, ?, ?, ?, ?, ?, 1900000000)`)
  insert.run('wh_1', 'a', 'failed', 6, null, 503, 'HTTP 503', 1_700_000_000)
  insert.run('wh_2', 'b', 'delivered', 1, null, 204, null, 1_700_000_001)
  insert.run('wh_3', 'c', 'pending', 2, 1_700_000_030_500, null, 'TIMEOUT', 1_700_000_002)
  db.close()
  return folder
}

describe('lectern webhook', () => {
  it.concurrent('lists deliveries without secrets and bodies', async () => {
    const folder = await makeStore()
    const { deliveries, more } = await here.json(folder, ['webhook', 'deliveries'])
    expect(more).toBe(false)
    expect(deliveries.map(({ id }: { id: string }) => id)).toEqual(['wh_3', 'wh_2', 'wh_1'])
    expect(deliveries[0]).toEqual({
      id: 'wh_3',
      service_account: 'school',
      event: 'recording.ready',
      subject: 'recording:c',
      status: 'pending',
      attempts: 2,
      next_attempt_at: 1_700_000_031,
      response_status: null,
      error: 'TIMEOUT',
      created_at: 1_700_000_002,
      updated_at: 1_900_000_000,
    })
    expect(JSON.stringify(deliveries)).not.toMatch(/of-the/)

    const failed = await here.run(folder, ['webhook', 'deliveries', '--status', 'failed'])
    expect(failed.stdout).toBe(
      [
        'id    account  event            status  attempts  error     created               next attempt',
        'wh_1  school   recording.ready  failed  6         HTTP 503  2023-11-14T22:13:20Z',
        '',
      ].join('\n'),
    )
    const one = await here.run(folder, ['webhook', 'deliveries', '--limit', '1'])
    expect(one.stdout).toContain('More deliveries exist: --limit 2 shows older ones.')
  })

  it.concurrent('sends a delivery again', async () => {
    const folder = await makeStore()
    expect(await here.json(folder, ['webhook', 'replay', 'wh_1'])).toMatchObject({
      id: 'wh_1',
      status: 'pending',
      attempts: 0,
      next_attempt_at: expect.any(Number),
    })
    const { stdout } = await here.run(folder, ['webhook', 'replay', 'wh_2'])
    expect(stdout).toBe('Queued delivery wh_2; a running service sends it immediately.\n')
  })

  it.concurrent('reports an unknown delivery, a disabled module and invalid options', async () => {
    const unknown = await here.run(makeFolder(INI), ['webhook', 'replay', 'wh_9'])
    expect(unknown).toMatchObject({ code: 1, stderr: 'lectern: There is no delivery wh_9.\n' })
    const off = await run(makeFolder(), ['webhook', 'deliveries'])
    expect(off).toMatchObject({ code: 1, stderr: expect.stringContaining('set [Integration] Enabled = 1') })
    for (const wrong of [
      ['--status', 'lost'],
      ['--limit', '0'],
    ])
      expect(await here.run(makeFolder(INI), ['webhook', 'deliveries', ...wrong])).toMatchObject({
        code: 2,
        stdout: '',
      })
  })
})
