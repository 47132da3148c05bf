import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { INI, useLectern } from '../testing.ts'

const { makeFolder, here } = useLectern()

/** The output of the command at the time when the mail server got a mail to `@late.example`. */
const printedBefore: string[] = []
const mails: { to: string; content: string }[] = []
const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: ({ username, password }, _session, done) =>
    username === 'school' && password === 'p@ss' ? done(null, { user: 1 }) : done(new Error('Invalid login')),
  onMailFrom: ({ address }, _session, done) =>
    done(address.endsWith('@foreign.example') ? new Error('not your address') : null),
  onRcptTo: ({ address }, _session, done) => {
    if (address.endsWith('@late.example'))
      printedBefore.push(
        vi
          .mocked(process.stdout.write)
          .mock.calls.map(([text]) => text)
          .join(''),
      )
    done(address.endsWith('@unknown.example') ? new Error('no such mailbox') : null)
  },
  onData: (stream, { envelope }, done) => {
    void text(stream).then(content => {
      mails.push({ to: envelope.rcptTo.map(({ address }) => address).join(), content })
      done()
    }, done)
  },
})
let ini = ''
beforeAll(async () => {
  const server = smtp.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  ini = `${INI.replace('Enabled = 1', 'Enabled = 1\nPublicUrl = https://meet.school.example')}
[Mail]
Url = smtp://school:p%40ss@127.0.0.1:${port}
From = Example School <meet@school.example>
Language = de
`
})
afterAll(() => new Promise<void>(resolve => smtp.close(resolve)))

it('without [Mail], --mail creates no account, and ends no earlier link', async () => {
  const folder = makeFolder(INI)
  await here.json(folder, ['user', 'invite', 'anna'])
  for (const login of ['anna', 'ben']) {
    const refused = await here.run(folder, ['user', 'invite', login, '--mail', 'x@home.example'])
    expect(refused).toMatchObject({ code: 1, stderr: 'lectern: Set [Mail] Url and From first.\n' })
  }
  const { users } = await here.json(folder, ['user', 'list'])
  expect(users).toMatchObject([{ login: 'anna', email: null }])
})

describe('with [Mail]', () => {
  it('an invitation is sent instead of printed', async () => {
    const folder = makeFolder(ini)
    const invited = await here.json(folder, [
      'user',
      'invite',
      'anna',
      '--name',
      'Anna',
      '--mail',
      'anna@home.example',
    ])
    expect(invited).toMatchObject({ login: 'anna', mailed_to: 'anna@home.example' })
    expect(JSON.stringify(invited)).not.toContain('/invite/')
    const { users } = await here.json(folder, ['user', 'list'])
    expect(users).toMatchObject([{ login: 'anna', email: 'anna@home.example' }])
    const mail = mails.find(({ to }) => to === 'anna@home.example')
    expect(mail?.content).toContain('From: Example School <meet@school.example>')
    expect(mail?.content).toContain('Subject: Ihr Konto bei meet.school.example')
    expect(mail?.content.replace(/=\r\n/g, '')).toContain('https://meet.school.example/invite/')
  })

  it('an invitation that cannot be sent is printed, and the command fails', async () => {
    const folder = makeFolder(ini)
    const args = ['user', 'invite', 'anna', '--mail', 'anna@unknown.example', '--json']
    const { code, stdout, stderr } = await here.run(folder, args)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^lectern: No mail to anna@unknown\.example: .*no such mailbox/)
    expect(JSON.parse(stdout)).toEqual({
      ...{ user_id: 1, login: 'anna', expires_at: expect.any(String) },
      link: expect.stringContaining('https://meet.school.example/invite/'),
    })
  })

  it('without STARTTLS no mail is sent where TLS is required', async () => {
    const before = mails.length
    const folder = makeFolder(`${ini}RequireTls = 1\n`)
    const args = ['user', 'invite', 'anna', '--mail', 'anna@home.example']
    expect(await here.run(folder, args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('STARTTLS'),
    })
    expect(mails).toHaveLength(before)
  })

  it('imported people get theirs; what the mail server refuses is printed', async () => {
    const folder = makeFolder(ini)
    const file = join(folder, 'people.csv')
    writeFileSync(file, 'login,email\nben,ben@home.example\ncarla,carla@unknown.example\ndora,\n')
    const { stdout, stderr } = await here.run(folder, ['user', 'import', file, '--json'])
    expect(JSON.parse(stdout).users).toMatchObject([
      { login: 'ben', mailed_to: 'ben@home.example' },
      { login: 'carla', link: expect.stringContaining('/invite/') },
      { login: 'dora', link: expect.stringContaining('/invite/') },
    ])
    expect(stderr).toMatch(/^No mail to carla@unknown\.example: .*no such mailbox/)
    writeFileSync(file, 'login,email\nemil,Emil E.\n')
    expect((await here.run(folder, ['user', 'import', file])).stderr).toContain(
      '2: Emil E. is no mail address.',
    )
  })

  it('imported people do not wait for a mail server that does not answer', async () => {
    const folder = makeFolder(ini.replace('school:p%40ss', 'school:wrong'))
    const file = join(folder, 'people.csv')
    writeFileSync(file, 'login,email\nhans,h@home.example\nida,i@home.example\njan,j@home.example\n')
    const { stdout, stderr } = await here.run(folder, ['user', 'import', file, '--json'])
    const { users } = JSON.parse(stdout) as { users: { link?: string }[] }
    expect(users.map(({ link = '' }) => link.includes('/invite/'))).toEqual([true, true, true])
    expect(stderr).toMatch(
      /^No mail to h@home\.example: .*Invalid login.*\nNo further mails are tried: the links are printed\.\n$/,
    )
  })

  it('imported people are printed one by one, however long the mails take', async () => {
    const folder = makeFolder(ini)
    const file = join(folder, 'people.csv')
    writeFileSync(file, 'login,email\nfritz,\ngerda,gerda@late.example\n')
    for (const [format, end] of [
      [[], 'Created 2'],
      [['--json'], ']}'],
    ] as const) {
      const again = makeFolder(ini)
      const { stdout } = await here.run(again, ['user', 'import', file, ...format])
      const before = printedBefore.pop() ?? ''
      expect(before).toMatch(/fritz.*\/invite\//)
      expect(before).not.toContain(end)
      expect(stdout).toContain(end)
    }
  })

  it('lectern doctor signs in at the mail server, names the sender and sends nothing', async () => {
    const before = mails.length
    const check = async (config: string) => {
      const folder = makeFolder(config)
      const { stdout } = await here.run(folder, ['doctor', '--json'])
      return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'mail')
    }
    expect(await check(ini)).toMatchObject({ status: 'ok' })
    const refused = await check(ini.replace('p%40ss', 'wrong'))
    expect(refused).toMatchObject({ status: 'fail', says: expect.stringContaining('Invalid login') })
    expect(JSON.stringify(refused)).not.toContain('wrong')
    const foreign = await check(ini.replace('<meet@school.example>', '<meet@foreign.example>'))
    expect(foreign).toMatchObject({ status: 'fail', says: expect.stringContaining('not your address') })
    expect(mails).toHaveLength(before)
  })
})
