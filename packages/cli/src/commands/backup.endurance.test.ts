import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { INI, send, useLectern } from '../testing.ts'

const { makeFolder, start, run, json, launch, here } = useLectern()

const CONTENTS = Array.from({ length: 6 }, (_, i) => Buffer.alloc(50_000 * (i + 1), `recording ${i} `))
const KILLED = { timeout: 180_000, interval: 20 }

interface File {
  id: string
  path: string
}

/** Files of recordings as a recorder brings them, and their rows. */
function addFiles(folder: string): File[] {
  const database = new Database(join(folder, 'data/lectern.db'))
  const insert = database.prepare(
    `INSERT INTO blobs (id, owner_id, scope, name, content_type, size, sha256, state, created_at)
     VALUES (?, 1, 'recording:aaaa-bbbbb-cccc', 'recording.mkv', 'video/x-matroska', ?, ?, 'ready', ?)`,
  )
  const files = CONTENTS.map((bytes, i) => {
    const id = `b_${i}a${'0'.repeat(30)}`
    const path = join(id.slice(2, 4), id)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    insert.run(id, bytes.length, sha256, Math.floor(Date.now() / 1000))
    mkdirSync(dirname(join(folder, 'data/blobs', path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, 'data/blobs', path), bytes)
    return { id, path }
  })
  database.close()
  return files
}

/** Opening the path blocks until the pipe has another end: a point in time at which a process is killed. */
function obstruct(path: string) {
  if (existsSync(path)) renameSync(path, `${path}.whole`)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  execFileSync('mkfifo', [path])
  return () => {
    rmSync(path)
    if (existsSync(`${path}.whole`)) renameSync(`${path}.whole`, path)
  }
}

const isWhole = (path: string, bytes: Buffer) => existsSync(path) && statSync(path).size === bytes.length

/** Starts a command, and kills it when the condition holds. */
async function killWhen(folder: string, args: string[], isReached: () => boolean) {
  const child = start(folder, args)
  const ended = new Promise<unknown>(resolve => child.once('exit', (_, signal) => resolve(signal)))
  await expect.poll(isReached, KILLED).toBe(true)
  expect(child.exitCode).toBeNull()
  child.kill('SIGKILL')
  expect(await ended).toBe('SIGKILL')
}

describe('lectern backup and restore', () => {
  let source: string
  let files: File[]
  let account: { service_account: string; client_secret: string }
  let server: Awaited<ReturnType<typeof launch>>
  const backup = () => join(source, 'backup')
  beforeAll(async () => {
    source = makeFolder(INI)
    server = await launch(source, ['serve'])
    await here.json(source, ['user', 'add', 'school-tech', '--kind', 'technical'])
    account = await here.json(source, [
      'service-account',
      'add',
      'school',
      '--user',
      'school-tech',
      '--scope',
      'integration:rooms',
    ])
    files = addFiles(source)
  }, 300_000)

  it('BACKUP-2 BACKUP-7 survive kill -9: an interrupted backup is never accepted as complete, and is continued', async () => {
    // A backup of a running service, killed while it copies the fourth file.
    const [blocked] = files.slice(3) as [File]
    const restoreFile = obstruct(join(source, 'data/blobs', blocked.path))
    const copied = (file: File, i: number) =>
      i === 3 || isWhole(join(backup(), 'blobs', file.path), CONTENTS[i] as Buffer)
    await killWhen(source, ['backup', 'backup'], () => files.every(copied))
    restoreFile()
    expect(readdirSync(backup())).toContain('lectern-backup.incomplete')
    expect(readdirSync(backup())).not.toContain('lectern-backup.json')
    const target = makeFolder(INI)
    const refused = await run(target, ['restore', backup()])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^lectern: .* was interrupted and is incomplete: .*\n$/),
    })
    expect(existsSync(join(target, 'data'))).toBe(false)

    const saved = await json(source, ['backup', 'backup'])
    expect(saved).toMatchObject({
      files: { in: 'folder', count: 6 },
      progress: { keptFiles: 5, copiedFiles: 1 },
    })
    await server.stop()
    const verified = await run(target, ['restore', backup(), '--verify'])
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('compared with its checksums'),
    })

    // A restore, killed while it copies files.
    const obstacle = join(backup(), 'blobs', blocked.path)
    const restoreObstacle = obstruct(obstacle)
    const restored = (file: File, i: number) =>
      i === 3 || isWhole(join(target, 'data/blobs', file.path), CONTENTS[i] as Buffer)
    await killWhen(target, ['restore', backup()], () => files.every(restored))
    restoreObstacle()
    await expectUnusable(target)

    // Continued, and killed between the two databases.
    const removePipe = obstruct(join(target, 'data/lectern.db.part'))
    await killWhen(target, ['restore', backup()], () => existsSync(join(target, 'data/integration.db')))
    removePipe()
    await expectRefused(target, ['serve'])

    const whole = await json(target, ['restore', backup()])
    expect(whole).toMatchObject({
      replaced: [],
      progress: { keptFiles: 6, copiedFiles: 0, missing: [], damaged: [] },
    })
    const again = await launch(target, ['serve'])
    const { url } = again.first()
    const token = await send(`${url}/api/v1/integration/auth/token`, 'POST', account)
    expect(token.status).toBe(200)
    await again.stop()
    for (const [i, { path }] of files.entries())
      expect(isWhole(join(target, 'data/blobs', path), CONTENTS[i] as Buffer), path).toBe(true)
    expect((await run(target, ['restore', backup()])).stderr).toMatch(
      /^lectern: There is data already: .*\n$/,
    )
  }, 600_000)
})

/** Neither the service nor a command uses data of which a part is missing. */
async function expectUnusable(folder: string) {
  await expectRefused(folder, ['serve'])
  await expectRefused(folder, ['user', 'list'])
  const { checks } = JSON.parse((await run(folder, ['doctor', '--json'])).stdout)
  const stores = checks.find(({ name }: { name: string }) => name === 'stores')
  expect(stores).toMatchObject({ status: 'fail', todo: 'Run "lectern restore" again.' })
}

const INTERRUPTED =
  /^lectern: A restore into .* was interrupted, so the data is incomplete: run "lectern restore" again\.\n$/

async function expectRefused(folder: string, command: string[]) {
  const stderr = expect.stringMatching(INTERRUPTED)
  expect(await run(folder, command)).toMatchObject({ code: 1, stdout: '', stderr })
}
