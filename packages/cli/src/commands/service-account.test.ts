import { describe, expect, it } from 'vitest'
import { INI, send, useLectern } from '../testing.ts'

const { makeFolder, launch, here } = useLectern()

describe('lectern service-account and lectern room', () => {
  it('take effect at once while the service runs', async () => {
    const folder = makeFolder(INI)
    const server = await launch(folder, ['serve'])
    const { url } = server.first()
    const api = `${url}/api/v1/integration`
    await here.json(folder, ['user', 'add', 'school', '--kind', 'technical'])
    const scopes = ['--scope', 'integration:rooms', '--scope', 'blob']
    const account = await here.json(folder, [
      'service-account',
      'add',
      'school',
      '--user',
      'school',
      ...scopes,
    ])
    expect(account).toEqual({
      service_account: 'school',
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { status, body } = await send(`${api}/auth/token`, 'POST', account)
    expect(status).toBe(200)
    const info = () => send(`${api}/server_info`, 'GET', undefined, body.access_token)
    expect((await info()).status).toBe(200)

    const lesson = ['room', 'create', 'a/b', '--url', url]
    const details = [
      '--title',
      'Algebra',
      '--starts-at',
      '2026-09-01T10:00:00+03:00',
      '--ends-at',
      '2026-09-01T11:00:00+03:00',
    ]
    const people = ['--teacher', 'Anna', '--teacher-id', 't1', '--student', 'Boris']
    const room = await here.json(folder, [...lesson, ...details, ...people])
    expect(room).toMatchObject({
      external_id: 'a/b',
      title: 'Algebra',
      starts_at: '2026-09-01T10:00:00+03:00',
      teacher: { display_name: 'Anna', external_id: 't1' },
      student: { display_name: 'Boris' },
    })
    const text = await here.run(folder, lesson)
    expect(text.stdout.split('\n')).toEqual(
      expect.arrayContaining([room.teacher_join_url, room.student_join_url]),
    )
    const refused = await here.run(folder, ['room', 'create', 'c', '--url', url, '--starts-at', 'tomorrow'])
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^lectern: .*starts_at.*\n$/),
    })

    await here.json(folder, ['service-account', 'add', 'second', '--user', 'school', '--scope', 'blob'])
    expect((await here.run(folder, lesson)).stderr).toBe(
      'lectern: Specify the service account with --account: school, second.\n',
    )
    expect((await here.json(folder, [...lesson, '--account', 'school'])).room_id).toBe(room.room_id)

    await here.json(folder, ['service-account', 'set', 'school', '--disable'])
    // Within a tenth of a second (docs/install.md#partners).
    const infoStatus = async () => (await info()).status
    await expect.poll(infoStatus).toBe(401)
    await here.json(folder, ['service-account', 'set', 'school', '--enable', '--scope', 'blob'])
    await expect.poll(infoStatus).toBe(200)
    const keep = async (days: string) =>
      (await here.json(folder, ['service-account', 'set', 'school', '--keep-days', days])).keep_days
    expect([await keep('never'), await keep('30')]).toEqual([null, 30])
    expect(
      (await here.run(folder, ['service-account', 'set', 'school', '--keep-days', '0'])).stderr,
    ).toContain('1 to 3650 days')
    const owner = await here.json(folder, ['user', 'add', 'olga'])
    await here.json(folder, ['service-account', 'add-owner', 'school', 'olga'])
    const owned = async () => {
      const { body: tokens } = await send(`${url}/api/v1.0/auth/login`, 'POST', owner)
      const path = `${url}/api/v1.0/me/service-accounts`
      return (await send(path, 'GET', undefined, tokens.access_token)).body.service_accounts
    }
    expect(await owned()).toHaveLength(2)
    const entry = {
      user_id: 1,
      login: 'school',
      scopes: ['blob'],
      enabled: true,
      keep_days: 30,
      owners: ['olga'],
      created_at: expect.any(Number),
    }
    expect(await here.json(folder, ['service-account', 'list'])).toEqual({
      service_accounts: [
        { service_account: 'school', ...entry },
        { service_account: 'second', ...entry },
      ],
    })
    const { stdout } = await here.run(folder, ['service-account', 'list'])
    expect(stdout).toBe(
      'name    enabled  user    recordings kept  owners  scopes\nschool  yes      school  30 days          olga    blob\nsecond  yes      school  30 days          olga    blob\n',
    )
    await here.json(folder, ['service-account', 'remove-owner', 'school', 'olga'])
    expect(await owned()).toHaveLength(0)
    await here.json(folder, ['service-account', 'remove', 'school'])
    await expect.poll(async () => (await info()).status).toBe(401) // a tenth of a second later
    expect(await server.stop()).toBe(0)
  })

  it('replaces the secret as the API does, or at once', async () => {
    const folder = makeFolder(INI)
    const server = await launch(folder, ['serve'])
    const api = `${server.first().url}/api/v1/integration`
    await here.json(folder, ['user', 'add', 'school', '--kind', 'technical'])
    const command = (name: string, ...options: string[]) => ['service-account', name, 'school', ...options]
    const add = command('add', '--user', 'school', '--scope', 'integration:rooms')
    const secrets: string[] = [(await here.json(folder, add)).client_secret]
    const issue = (client_secret = '') =>
      send(`${api}/auth/token`, 'POST', { service_account: 'school', client_secret })
    const accepted = async () => (await Promise.all(secrets.map(issue))).map(({ status }) => status === 200)
    const rotate = async (...options: string[]) => {
      const { client_secret, previous_secret_expires_at: until } = await here.json(
        folder,
        command('rotate', ...options),
      )
      secrets.push(client_secret)
      return until === null ? null : Math.round((until - Date.now() / 1000) / 3_600)
    }
    expect(await rotate()).toBe(24)
    expect(await accepted()).toEqual([true, true])
    const refused = await here.run(folder, command('rotate', '--overlap', '3600'))
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^lectern: .*replaced already/) })
    expect(await accepted()).toEqual([true, true])
    await here.json(folder, command('finish-rotation'))
    expect(await accepted()).toEqual([false, true])
    expect(await rotate('--overlap', '3600')).toBe(1)
    const { access_token } = (await issue(secrets[1])).body
    expect(await rotate('--now')).toBe(null)
    expect(await accepted()).toEqual([false, false, false, true])
    expect((await send(`${api}/server_info`, 'GET', undefined, access_token)).status).toBe(401)
    for (const options of [
      ['--overlap', '604801'],
      ['--now', '--overlap', '5'],
    ])
      expect((await here.run(folder, command('rotate', ...options))).code).toBe(2)
    expect(await server.stop()).toBe(0)
  })
})
