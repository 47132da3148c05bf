import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { INI, send, useLectern } from '../testing.ts'

const { makeFolder, json, launch, here } = useLectern()

describe('lectern user', () => {
  it.concurrent('adds, lists, changes and removes accounts before the first start of the service', async () => {
    const folder = makeFolder(INI)
    const added = await here.json(folder, [
      'user',
      'add',
      'Bob',
      '--capability',
      'admin',
      'recordings.access',
    ])
    expect(added).toEqual({ user_id: 1, login: 'bob', password: expect.stringMatching(/^[\w-]{16}$/) })
    const amy = ['user', 'add', 'amy', '--name', 'Amy', '--password', 'correct horse', '--kind', 'worker']
    expect(await here.json(folder, amy)).toEqual({ user_id: 2, login: 'amy' })

    const bob = {
      user_id: 1,
      login: 'bob',
      display_name: 'Bob',
      kind: 'ordinary',
      email: null,
      disabled: false,
    }
    expect(await here.json(folder, ['user', 'list'])).toEqual({
      users: [
        { ...bob, capabilities: ['admin', 'recordings.access'] },
        { ...bob, user_id: 2, login: 'amy', display_name: 'Amy', kind: 'worker', capabilities: [] },
      ],
    })
    const set = ['user', 'set', 'bob', '--name', 'Robert']
    expect(
      await here.json(folder, [...set, '--capability', 'admin', '--capability', 'jobs.recorder']),
    ).toEqual({
      ...bob,
      display_name: 'Robert',
      capabilities: ['admin', 'jobs.recorder'],
    })
    const mail = async (email: string) => (await here.json(folder, [...set, '--email', email])).email
    expect([await mail('Bob@School.example'), await mail('')]).toEqual(['bob@school.example', null])
    expect((await here.json(folder, [...set])).capabilities).toEqual(['admin', 'jobs.recorder'])
    expect((await here.json(folder, ['user', 'set', 'bob', '--no-capabilities'])).capabilities).toEqual([])
    expect((await here.json(folder, ['user', 'remove', 'bob'])).login).toBe('bob')
    expect((await here.json(folder, ['user', 'set', 'amy', '--disable'])).disabled).toBe(true)
    const { stdout } = await here.run(folder, ['user', 'list'])
    expect(stdout).toBe('id  login  kind    state     name  capabilities\n2   amy    worker  disabled  Amy\n')
  })

  it.concurrent('takes effect while the service runs: sign-in, a new password that ends all sessions, removal', async () => {
    const folder = makeFolder(INI)
    const server = await launch(folder, ['serve'])
    const api = `${server.first().url}/api/v1.0`
    const signIn = (password: string) => send(`${api}/auth/login`, 'POST', { login: 'eve', password })
    const { password } = await here.json(folder, ['user', 'add', 'eve'])
    const { status, body } = await signIn(password)
    expect(status).toBe(200)

    await json(folder, ['user', 'set', 'eve', '--password', '-'], { input: 'from standard input\n' })
    const refreshed = await send(`${api}/auth/refresh`, 'POST', { refresh_token: body.refresh_token })
    expect(refreshed).toMatchObject({ status: 401, body: { code: 'session_ended' } })
    expect((await signIn(password)).status).toBe(401)
    expect((await signIn('from standard input')).status).toBe(200)

    await here.json(folder, ['user', 'set', 'eve', '--disable'])
    expect((await signIn('from standard input')).body.code).toBe('account_disabled')
    await here.json(folder, ['user', 'set', 'eve', '--enable'])
    expect((await signIn('from standard input')).status).toBe(200)

    await here.json(folder, ['user', 'remove', 'eve'])
    expect((await signIn('from standard input')).body.code).toBe('invalid_credentials')
    expect(await server.stop()).toBe(0)
  })

  it('imports people from a file, all or none, and says what is wrong with which line', async () => {
    const folder = makeFolder(INI)
    const file = (content: string | Buffer) => {
      writeFileSync(join(folder, 'people.csv'), content)
      return join(folder, 'people.csv')
    }
    await here.json(folder, ['user', 'add', 'taken'])
    const wrong = file(
      'login;name\r\nanna;"Anna; ""A"" B"\r\n\r\nTaken;Ben\r\na b;Carla\r\nANNA;Anna again\r\ndora;D;x\r\n',
    )
    const refused = await here.run(folder, ['user', 'import', wrong])
    expect(refused.code).toBe(1)
    expect(refused.stderr.replaceAll(`${wrong}:`, '')).toBe(
      [
        '4: The login taken is taken.',
        '5: Invalid login "a b": use letters, digits and . _ @ + -',
        '6: anna is in line 2, too.',
        '7: There are 3 values for 2 columns.',
        'lectern: Nothing was imported.\n',
      ].join('\n'),
    )
    const asWindowsHas = Buffer.from('login,name\nmueller,M\u00fcller\n', 'latin1')
    expect(await here.run(folder, ['user', 'import', file(asWindowsHas)])).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('is not in UTF-8') },
    })
    const right = file(
      '\uFEFFname,login,capabilities\n"Anna\nPetrova",Anna,admin recordings.access\n,ben@school.example\n',
    )
    const trial = await here.json(folder, ['user', 'import', right, '--dry-run'])
    expect(trial).toMatchObject({
      dry_run: true,
      users: [{ login: 'anna' }, { login: 'ben@school.example' }],
    })
    expect((await here.json(folder, ['user', 'list'])).users).toHaveLength(1)

    const { users } = await here.json(folder, ['user', 'import', right])
    expect(users).toEqual([
      { login: 'anna', link: expect.stringContaining('/invite/'), expires_at: expect.any(String) },
      expect.objectContaining({ login: 'ben@school.example' }),
    ])
    expect((await here.json(folder, ['user', 'list'])).users.slice(1)).toMatchObject([
      { login: 'anna', display_name: 'Anna Petrova', capabilities: ['admin', 'recordings.access'] },
      { login: 'ben@school.example', display_name: 'ben@school.example', kind: 'ordinary' },
    ])
    const headless = await here.run(folder, ['user', 'import', file('anna,Anna\n')])
    expect(headless.stderr).toContain('The first line names the columns')
  })

  it.concurrent('invites people by a link that sets the password, and replaces an earlier link', async () => {
    const folder = makeFolder(INI)
    const server = await launch(folder, ['serve'])
    const { url } = server.first()
    const first = await here.json(folder, [
      'user',
      'invite',
      'Eve',
      '--name',
      'Eve E.',
      '--capability',
      'admin',
    ])
    expect(first).toEqual({
      user_id: expect.any(Number),
      login: 'eve',
      link: expect.stringMatching(/^http:\/\/[^/]+\/invite\/[\w-]{43}$/),
      expires_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    })
    const { stdout } = await here.run(folder, ['user', 'invite', 'eve'])
    const link = /^Invited user eve again\.\nLink for one use until .*: (\S+)\n$/.exec(stdout)?.[1] ?? ''
    const api = (used: string) => `${url}/api/v1.0/invitations/${used.split('/').at(-1)}`
    const body = { password: 'correct horse' }
    expect(await send(api(first.link), 'POST', body)).toMatchObject({ status: 404 })
    expect(await send(api(link), 'POST', body)).toMatchObject({
      status: 200,
      body: { user: { login: 'eve', display_name: 'Eve E.', capabilities: ['admin'] } },
    })
    const renamed = await here.run(folder, ['user', 'invite', 'eve', '--name', 'Eva'])
    expect(renamed.stderr).toBe('lectern: The account eve exists already: change it with "user set".\n')
    expect(await server.stop()).toBe(0)
  })

  it.concurrent('prints a generated password, but never a given one', async () => {
    const folder = makeFolder(INI)
    const generated = await here.run(folder, ['user', 'add', 'a'])
    expect(generated.stdout).toMatch(
      /^Created user a with id 1\.\nPassword \(not shown again\): [\w-]{16}\n$/,
    )
    const given = await here.run(folder, ['user', 'add', 'b', '--password', 'correct horse'])
    expect(given.stdout).toBe('Created user b with id 2.\n')
  })
})
