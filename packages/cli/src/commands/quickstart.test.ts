import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useDemo, WITHOUT_WORKERS } from '../quickstart/testing.ts'
import { send } from '../testing.ts'

const { makeFolder, run, launch, here, quickstart } = useDemo()
const modeOf = (path: string) => statSync(path).mode & 0o777

/** The paths of the join links; ports differ between runs. */
const pathsOf = ({ room }: { room: Record<string, string> }) =>
  [room.teacher_join_url, room.student_join_url].map(url => new URL(url as string).pathname)

/** Kills of the first run are in quickstart.endurance.test.ts. */
describe('lectern quickstart', () => {
  it.concurrent('creates everything at the first run, prints it for people, and reports a port in use', async () => {
    const folder = makeFolder()
    const server = await launch(folder, ['quickstart', '--data', 'here', '--port', '0'])
    const file = (name: string) => join(folder, 'here', name)
    const account = JSON.parse(readFileSync(file('demo-account.json'), 'utf8'))
    expect(account).toEqual({
      service_account: 'demo',
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })
    expect([modeOf(file('')), modeOf(file('lectern.ini')), modeOf(file('demo-account.json'))]).toEqual([
      0o700, 0o600, 0o600,
    ])

    const lines = server.output.stdout.split('\n').map(line => line.trim())
    expect(lines).toContain(`● Lectern is running at ${account.url}`)
    const links = lines.filter(line => line.startsWith(`${account.url}/j/`))
    expect(links).toHaveLength(2)
    const opened = links.map(link => send(link.replace('/j/', '/api/v1/integration/join/'), 'GET'))
    const [teacher, student] = await Promise.all(opened)
    expect(teacher?.body).toMatchObject({ title: 'Demo lesson', role: 'teacher', display_name: 'Teacher' })
    expect(student?.body).toMatchObject({ title: 'Demo lesson', role: 'student', display_name: 'Student' })
    expect(server.output.stdout).toContain(account.client_secret)
    expect((await fetch(`${account.url}/docs`)).status).toBe(200)

    const port = Number(new URL(account.url).port)
    const second = await run(makeFolder(), ['quickstart', '--port', String(port)])
    expect(second).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^lectern: Cannot listen on [^\n]+\n$/),
    })
    expect(second.stderr).toContain(`npm start -- --port ${port + 1}`)

    expect(await server.stop('SIGINT')).toBe(0)
    expect(server.output.stdout).toMatch(/\n\n {2}Stopping Lectern\.\n$/)
    expect(server.output.stderr).toBe('')
    expect(server.output.stdout).not.toContain('\x1b')
    expect(readFileSync(file('lectern.log'), 'utf8')).toContain('Server listening')
  })

  it.concurrent('keeps room, links, account and lectern.ini between runs; another account if its secret is lost or invalid, the next room if one is closed', async () => {
    const folder = makeFolder()
    const data = join(folder, 'data')
    const first = await quickstart(folder)
    rmSync(join(data, 'demo-account.json'))
    const second = await quickstart(folder)
    expect(second.service_account).toBe('demo-2')
    expect(pathsOf(second)).toEqual(pathsOf(first))

    const ini = join(data, 'lectern.ini')
    writeFileSync(ini, `${readFileSync(ini, 'utf8')}; mine\n`)
    const again = await launch(folder, ['quickstart', '--port', '0', '--json'], WITHOUT_WORKERS)
    const third = again.first()
    expect(pathsOf(third)).toEqual(pathsOf(first))
    expect([third.service_account, third.client_secret]).toEqual([
      second.service_account,
      second.client_secret,
    ])
    expect(readFileSync(ini, 'utf8')).toMatch(/; mine\n$/)
    const account = JSON.parse(readFileSync(join(data, 'demo-account.json'), 'utf8'))
    expect(account).toMatchObject({ url: third.url })

    const api = `${third.url}/api/v1/integration`
    const { body } = await send(`${api}/auth/token`, 'POST', account)
    await send(`${api}/rooms/demo-lesson/close`, 'POST', undefined, body.access_token)
    expect(await again.stop()).toBe(0)
    expect((await quickstart(folder)).room.external_id).toBe('demo-lesson-2')
    await here.json(data, ['service-account', 'set', 'demo-2', '--disable'])
    await here.json(data, ['user', 'remove', 'demo-partner'])
    expect((await quickstart(folder)).service_account).toBe('demo-3')
    const { users } = await here.json(data, ['user', 'list'])
    expect(users).toMatchObject([{ login: 'demo-partner-2', capabilities: ['recordings.access'] }])
  })
})
