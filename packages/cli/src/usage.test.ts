import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { INI, useLectern } from './testing.ts'

const { makeFolder, run, start, here } = useLectern()
const words = (text: string) => text.split(' ')

describe('lectern', () => {
  it.concurrent.each([
    ['usr lst', { code: 2, stderr: /^lectern: unknown command 'usr' \(Did you mean user\?\)\n$/ }],
    [
      'user list --config no.ini',
      { code: 1, stderr: /^lectern: [^\n]+no\.ini: there is no such file or folder\n$/ },
    ],
  ])('ends with an error in one line and an exit code: %s', async (line, { code, stderr }) => {
    const found = await run(makeFolder(), words(line))
    expect(found).toEqual({ code, stdout: '', stderr: expect.stringMatching(stderr) })
  })

  it.each([
    ['usr', /unknown command 'usr' \(Did you mean user\?\)/],
    ['user lst', /unknown command 'lst' \(Did you mean list\?\)/],
    ['user add', /missing required argument 'login'/],
    ['user add a --kind guest', /Allowed choices are ordinary, technical, worker/],
    ['user set a --capability admin --no-capabilities', /cannot be used with/],
    ['user list --all', /unknown option '--all'/],
    ['service-account add a --scope blob', /--user <login>' not specified/],
    ['service-account set a --enable --disable', /cannot be used with/],
    ['quickstart --port 65536', /A port is a number from 0 to 65535/],
    ['serve --config', /argument missing/],
    ['media-node --port 1', /unknown option '--port'/],
  ])('rejects invalid usage with exit code 2: %s', async (line, message) => {
    const { code, stdout, stderr } = await here.run(makeFolder(), words(line))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^lectern: [^\n]+\n$/)
    expect(stderr).toMatch(message)
  })

  it.each([
    ['user add _', /Invalid login "_"/],
    ['user add a --password short', /8 to 1024 characters/],
    ['user add a --capability all', /Unknown capability "all"; known: admin/],
    ['user set nobody', /Nothing to change/],
    ['user remove nobody', /There is no user nobody/],
    ['user list --config no.ini', /no\.ini: there is no such file/],
    ['media-node', /\[Cluster\] Nats is missing/],
    ['service-account add a --user nobody --scope blob', /There is no user nobody/],
    ['service-account set a --enable', /There is no service account a/],
    ['lti invite --account a', /LTI is disabled.*\[Lti\] Enabled = 1/],
    ['cluster status', /This is no cluster: \[Cluster\] Nats is not set/],
    ['room create r', /\[Server\] Port is 0.*--url/],
    ['room create r --url http://127.0.0.1:9', /There is no enabled service account/],
    ['room create r --url http://127.0.0.1:9 --account a', /There is no service account a/],
  ])('reports a failure in one line with exit code 1: %s', async (line, message) => {
    const { code, stdout, stderr } = await here.run(makeFolder(INI), [...words(line), '--json'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^lectern: [^\n]+\n$/)
    expect(stderr).toMatch(message)
  })

  it.concurrent('names a disabled module, an existing login or account, and an unreachable service', async () => {
    const off = await run(makeFolder(), ['service-account', 'list'])
    expect(off).toMatchObject({ code: 1, stderr: expect.stringContaining('set [Integration] Enabled = 1') })

    const folder = makeFolder(INI)
    await here.run(folder, words('user add a --kind technical'))
    await here.run(folder, words('service-account add a --user a --scope integration:rooms'))
    const taken = await here.run(folder, words('user add A'))
    expect(taken).toMatchObject({ code: 1, stderr: 'lectern: The login a is already taken.\n' })
    const again = await here.run(folder, words('service-account add a --user a --scope blob'))
    expect(again).toMatchObject({ code: 1, stderr: 'lectern: The service account a already exists.\n' })
    const unreachable = await here.run(folder, words('room create r --url http://127.0.0.1:9'))
    expect(unreachable.stderr).toMatch(
      /^lectern: Cannot connect to http:\/\/127\.0\.0\.1:9 \(.+\)\. Is the service running\?\n$/,
    )
  })

  it.concurrent('says that it creates a database where there is no configuration', async () => {
    const folder = makeFolder()
    const first = await run(folder, ['user', 'list'])
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('There is no lectern.ini') })
    expect(first.stderr).toContain(join(folder, 'data/lectern.db'))
    expect(await run(folder, ['user', 'list'])).toMatchObject({ code: 0, stderr: '' })
  })

  it.each([
    ['user import no.csv', /^lectern: no\.csv: there is no such file or folder\.\n$/],
    ['user import .', /^lectern: \.: this is a folder, not a file\.\n$/],
    ['backup lectern.ini', /^lectern: \S+lectern\.ini: there is a file of that name\n$/],
    [
      'restore lectern.ini',
      /^lectern: \S+lectern\.ini\/lectern-backup\.json: it is in a file, not in a folder\n$/,
    ],
    [
      'doctor --bundle no/support.tar.gz',
      /^lectern: no\/support\.tar\.gz: there is no such file or folder\n$/,
    ],
  ])('says in words why a file or folder cannot be used: %s', async (line, message) => {
    const folder = makeFolder(INI)
    await here.run(folder, words('user add a'))
    const ofFolder = words(line).map(word => (word === 'lectern.ini' ? join(folder, word) : word))
    const { code, stderr } = await here.run(folder, ofFolder)
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
  })

  it.concurrent('ends without a word when nobody reads its output, and says why a disk did not take it', async () => {
    const folder = makeFolder(INI)
    const people = Array.from({ length: 5_000 }, (_, index) => `person-${index}\n`).join('')
    expect(await run(folder, words('user import -'), { input: `login\n${people}` })).toMatchObject({
      code: 0,
    })
    const unread = start(folder, words('user list'))
    unread.stdout.destroy()
    const [stderr] = await Promise.all([text(unread.stderr), once(unread, 'exit')])
    expect({ stderr, code: unread.exitCode }).toEqual({ stderr: '', code: 1 })
    const full = spawnSync(
      '/bin/sh',
      [
        '-c',
        `exec "${process.execPath}" "${unread.spawnargs[1]}" user list --config lectern.ini > /dev/full`,
      ],
      { cwd: folder, encoding: 'utf8' },
    )
    expect({ stderr: full.stderr, code: full.status }).toEqual({
      stderr: expect.stringMatching(/^lectern: the output cannot be written: ENOSPC[^\n]*\n$/),
      code: 1,
    })
  })

  it.concurrent('prints the stack trace with LECTERN_DEBUG', async () => {
    const { stderr } = await run(makeFolder(INI), ['user', 'remove', 'a'], { env: { LECTERN_DEBUG: '1' } })
    expect(stderr).toMatch(/^lectern: OperatorError: There is no user a\.\n {4}at /)
  })
})

describe('help', () => {
  it.concurrent('exits with 0 when requested, and with 2 when a command is missing', async () => {
    const requested = await run(makeFolder(), ['--help'])
    expect(requested.code).toBe(0)
    expect(requested.stdout).toContain('service-account')
    const missing = await run(makeFolder(), ['user'])
    expect(missing).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('remove [options] <login>'),
    })
  })
})
