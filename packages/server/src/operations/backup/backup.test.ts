import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Config, loadConfig } from '../../platform/config/index.ts'
import { mainMigrations } from '../../platform/db/migrations/main.ts'
import { openMainStore } from '../../platform/db/open.ts'
import { restoreMarker } from '../../platform/restore-marker.ts'
import { Layout } from '../../records/storage/layout.ts'
import { openTestArchive, type TestArchive } from '../../records/testing/archive.ts'
import { type Partner, resolveLink } from '../../testing/partner.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { writeStore } from '../../testing/store-0.1.0/write.ts'
import { auditStore } from '../stores/audit.ts'
import { type BackupOptions, backUp, backUpInSeries } from './backup.ts'
import { readManifest } from './manifest.ts'
import { restore, verifyBackup } from './restore.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }) // many processes or files on a busy machine

const ignore = () => {}
const bytesOf = (i: number) => Buffer.alloc(i * 100_000, `file ${i} `)

let folder: string
let server: TestServer
let archive: TestArchive
let school: Partner
let link: string
let blobs: string[]
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-backup-'))
  server = await startTestServer()
  archive = await openTestArchive(server)
  school = await server.addPartner('school', { scopes: ['integration:rooms', 'blob'] })
  const room = await school.room('lesson', { teacher: { display_name: 'Anna' } })
  link = room.teacher_join_url
  blobs = []
  for (let i = 0; i < 6; i++) blobs.push((await archive.addBlob(room.tag, bytesOf(i))).id)
})
afterAll(async () => {
  await archive.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

let name = 0
beforeEach(() => {
  name++
})
const target = () => join(folder, `backup-${name}`)
const make = (changes: Partial<BackupOptions> = {}) =>
  backUp({
    config: server.config,
    configFile: null,
    target: target(),
    version: '0.0.0',
    onProgress: ignore,
    ...changes,
  })

/** The configuration of another, empty installation. */
function elsewhere(settings = `DataDir = installation-${name}`) {
  const file = join(folder, `installation-${name}.ini`)
  writeFileSync(file, `[Server]\n${settings}\n`)
  return loadConfig(file, {})
}

const auditOf = async (config: Config) => {
  const store = await openMainStore(config.Db.Url)
  try {
    return await auditStore(store.db).list({}, { limit: 10 })
  } finally {
    await store.close()
  }
}

const restoreTo = (config = elsewhere(), replace = false) =>
  restore({ config, source: target(), replace, onProgress: ignore })

const databaseOf = (file: string, query: string): unknown => {
  const database = new Database(file, { readonly: true })
  const found = database.prepare(query).pluck().all()
  database.close()
  return found
}

describe('a backup', () => {
  it('BACKUP-1 is created while the service runs, and restores a complete installation', async () => {
    const configFile = join(folder, 'secret.ini')
    writeFileSync(configFile, '[Server]\nJwtSecret = of the backup\n')
    const { manifest, files } = await make({ configFile })
    expect(files).toMatchObject({ files: 6, copiedFiles: 6, missing: [], damaged: [] })
    expect(manifest).toMatchObject({ format: 1, files: { in: 'folder', count: 6, bytes: 1_500_000 } })
    expect(readFileSync(join(target(), 'lectern.ini'), 'utf8')).toContain('of the backup')
    for (const path of readdirSync(target(), { recursive: true, encoding: 'utf8' }))
      expect(statSync(join(target(), path)).mode & 0o077, path).toBe(0)
    expect(readdirSync(target()).sort()).toEqual(
      ['blobs', 'integration.db', 'lectern-backup.json', 'lectern.db', 'lectern.ini'].sort(),
    )

    const other = mkdtempSync(join(tmpdir(), 'lectern-test-'))
    const config = elsewhere(`DataDir = ${join(other, 'data')}`)
    expect(await restoreTo(config)).toMatchObject({ replaced: [], files: { copiedFiles: 6 } })
    const layout = new Layout(config.Storage.Url)
    for (const [i, id] of blobs.entries())
      expect(readFileSync(layout.path(id)).equals(bytesOf(i)), id).toBe(true)
    const second = await startTestServer({}, other)
    expect((await resolveLink(second.call, link)).status).toBe(200)
    expect((await second.call('GET', `/api/storage/blobs/${blobs[3]}`, { token: school.token })).status).toBe(
      200,
    )
    await second.close()
  })

  it('BACKUP-4 reports damaged and missing files, but not those removed meanwhile', async () => {
    const config = elsewhere()
    const layout = new Layout(server.config.Storage.Url)
    const tag = (await school.room('doomed')).tag
    const [damaged, missing, removed] = await Promise.all(
      ['one', 'two', 'three'].map(async text => (await archive.addBlob(tag, text)).id),
    )
    writeFileSync(layout.path(damaged as string), 'eno')
    rmSync(layout.path(missing as string))
    let isRemoved = false
    const onProgress: BackupOptions['onProgress'] = progress => {
      if (isRemoved || !('databases' in progress)) return
      isRemoved = true
      // Between the databases and the files.
      const database = new Database(server.config.Db.Url)
      database.prepare('DELETE FROM blobs WHERE id = ?').run(removed)
      database.close()
      rmSync(layout.path(removed as string))
    }
    const { files } = await make({ onProgress })
    expect(files).toMatchObject({ damaged: [damaged], missing: [missing] })
    const [row] = await auditOf(server.config)
    expect(row).toMatchObject({ action: 'backup.create', outcome: 'failed', code: 'blob_not_found' })
    expect(existsSync(new Layout(join(target(), 'blobs')).path(damaged as string))).toBe(false)
    expect((await verifyBackup(target(), ignore)).files?.missing).toHaveLength(3)
    await restoreTo(config)
    expect(existsSync(config.Db.Url)).toBe(true)
    for (const id of [damaged, missing]) await archive.blobs.remove(id as string)
  })

  it('AUDIT-7 is in the audit log, also if it is refused, and a restore is in the restored one', async () => {
    await make({ configFile: null })
    await expect(make()).rejects.toThrow(/contains a backup already/)
    const actor = expect.objectContaining({ kind: 'command_line' })
    const row = { actor, action: 'backup.create', target: target(), details: { config_file: false } }
    const [refused, done] = await auditOf(server.config)
    expect(refused).toMatchObject({ ...row, outcome: 'refused' })
    expect(done).toMatchObject({ ...row, outcome: 'done' })

    const config = elsewhere()
    expect(await restoreTo(config)).toMatchObject({ isAudited: true })
    const [restored, saved] = await auditOf(config)
    const details = { lectern: '0.0.0', created_at: expect.any(String), replace: false }
    expect(restored).toMatchObject({
      actor,
      action: 'backup.restore',
      target: target(),
      details,
      outcome: 'done',
    })
    // The row was copied before its outcome was known.
    expect(saved).toMatchObject({ ...row, outcome: 'started' })
  })

  it('AUDIT-7 is made also if the audit log cannot take its row, and says so', async () => {
    await make()
    const config = elsewhere()
    await restoreTo(config)
    const database = new Database(config.Db.Url)
    database.exec('DROP TABLE audit_log')
    database.close()
    const again = { config, target: `${target()}-again` }
    expect(await make(again)).toMatchObject({ isAudited: false, files: { missing: [] } })
    expect((await verifyBackup(again.target, ignore)).manifest.format).toBe(1)
  })

  it('BACKUP-2 continues in the folder of an interrupted one, and refuses any other folder with files', async () => {
    const interrupt = () => {
      throw new Error('interrupted')
    }
    const onProgress: BackupOptions['onProgress'] = progress => {
      if ('files' in progress && progress.files.copiedFiles === 2) interrupt()
    }
    await expect(make({ onProgress })).rejects.toThrow('interrupted')
    await expect(readManifest(target())).rejects.toThrow(/was interrupted and is incomplete/)
    await expect(restoreTo()).rejects.toThrow(/was interrupted and is incomplete/)
    const { files } = await make()
    expect(files?.keptFiles).toBeGreaterThanOrEqual(2)
    expect(existsSync(join(target(), 'lectern-backup.incomplete'))).toBe(false)
    await expect(make()).rejects.toThrow(/contains a backup already/)
    await expect(make({ target: server.config.Server.DataDir })).rejects.toThrow(/is not empty/)
  })

  it('is refused for PostgreSQL, and leaves out the files of a bucket', async () => {
    const postgres = elsewhere('DataDir = missing\n[Db]\nUrl = postgres://user:secret@db.example/lectern')
    await expect(make({ config: postgres })).rejects.toThrow(/^The databases are in PostgreSQL: use pg_dump/)
    await expect(restoreTo(postgres)).rejects.toThrow(/use pg_dump/)
    const bucket = elsewhere(
      'DataDir = with-bucket\n[Storage]\nUrl = s3://bucket\nS3AccessKeyId = accesskey\nS3SecretAccessKey = secret',
    )
    const { manifest } = await make({ config: { ...server.config, Storage: bucket.Storage } })
    expect(manifest.files).toEqual({ in: 'bucket', count: 0, bytes: 0 })
    await expect(restoreTo()).rejects.toThrow(/files of this backup are in a bucket/)
    expect((await restoreTo(bucket)).files).toBeNull()
    expect(databaseOf(bucket.Db.Url, 'SELECT count(*) FROM blobs')).toEqual([6])
  })
})

describe('restoring', () => {
  it('BACKUP-6 changes nothing if the backup is damaged, or of a newer version', async () => {
    await make()
    const config = elsewhere()
    const file = join(target(), 'lectern.db')
    const whole = readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped.writeUInt8(flipped.readUInt8(5_000) ^ 1, 5_000)
    writeFileSync(file, flipped)
    await expect(restoreTo(config)).rejects.toThrow(/^The backup is damaged: .*lectern\.db/)
    await expect(verifyBackup(target(), ignore)).rejects.toThrow(/damaged/)
    writeFileSync(file, whole)

    const database = new Database(file)
    database.pragma('user_version = 10000')
    database.close()
    const manifest = join(target(), 'lectern-backup.json')
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(sum(whole), sum(readFileSync(file))))
    await expect(restoreTo(config)).rejects.toThrow(/made by a newer version of Lectern \(0\.0\.0\)/)
    await expect(restore({ config, source: folder, replace: false, onProgress: ignore })).rejects.toThrow(
      /is not a backup/,
    )
    expect(existsSync(config.Server.DataDir)).toBe(false)
  })

  it('BACKUP-10 leaves a backup of an earlier version as it is, and the next start migrates it', async () => {
    const former = elsewhere(`DataDir = former-${name}`)
    writeStore(former.Server.DataDir)
    await make({ config: former })
    const restored = elsewhere(`DataDir = restored-${name}`)
    await restoreTo(restored)
    const version = (config: Config) => databaseOf(config.Db.Url, 'PRAGMA user_version')
    expect(version(restored)).toEqual(version(former))
    const store = await openMainStore(restored.Db.Url)
    await store.close()
    expect(version(restored)).toEqual([mainMigrations.length])
    expect(databaseOf(restored.Db.Url, 'SELECT count(*) FROM recordings')).toEqual([2])
  })

  it('BACKUP-8 refuses an installation with data, or moves the data aside', async () => {
    await make()
    const config = elsewhere()
    await restoreTo(config)
    const database = new Database(config.Db.Url)
    database.exec("UPDATE users SET display_name = 'changed since'")
    database.close()
    await expect(restoreTo(config)).rejects.toThrow(/^There is data already: .*lectern\.db/)
    expect(existsSync(restoreMarker(config))).toBe(false)

    const { replaced } = await restoreTo(config, true)
    const names = databaseOf(
      config.Db.Url,
      "SELECT display_name FROM users WHERE display_name = 'changed since'",
    )
    expect(names).toEqual([])
    expect(replaced).toHaveLength(2)
    const [data, files] = replaced as [string, string]
    const former = databaseOf(join(data, 'lectern.db'), 'SELECT DISTINCT display_name FROM users')
    expect(former).toEqual(['changed since'])
    expect(blobs.every(id => existsSync(new Layout(files).path(id)))).toBe(true)
    expect(blobs.every(id => existsSync(new Layout(config.Storage.Url).path(id)))).toBe(true)
  })

  it('BACKUP-9 refuses while the service runs', async () => {
    await make()
    const restoring = restore({ config: server.config, source: target(), replace: true, onProgress: ignore })
    await expect(restoring).rejects.toThrow(/lectern\.db is in use: stop the service\.$/)
    expect((await server.call('GET', '/readyz')).status).toBe(200)
  })

  it('BACKUP-7 continues after an interruption at any point, and moves nothing of the backup aside', async () => {
    await make()
    const config = elsewhere()
    await restoreTo(config)
    // As after a kill while the former data was being moved: the rest follows.
    const state = { replaced: 'replaced-before', isMoved: false }
    writeFileSync(restoreMarker(config), JSON.stringify(state))
    const { replaced, files } = await restoreTo(config)
    expect(replaced.map(path => path.split('/').at(-1))).toEqual(['replaced-before', 'replaced-before'])
    expect(files).toMatchObject({ copiedFiles: 6, keptFiles: 0 })
    // As after a kill while files were being copied: they are kept.
    writeFileSync(restoreMarker(config), JSON.stringify({ ...state, isMoved: true }))
    rmSync(new Layout(config.Storage.Url).path(blobs[4] as string))
    writeFileSync(new Layout(config.Storage.Url).path(blobs[5] as string), 'cut')
    expect((await restoreTo(config)).files).toMatchObject({ copiedFiles: 2, keptFiles: 4 })
    expect(existsSync(restoreMarker(config))).toBe(false)
    writeFileSync(restoreMarker(config), JSON.stringify(state))
    await expect(make({ config })).rejects.toThrow(/was interrupted/)
  })
})

describe('a series of backups', () => {
  const next = (onProgress: () => void = ignore) =>
    backUpInSeries({
      config: server.config,
      configFile: null,
      series: target(),
      keep: 2,
      version: '0.0.0',
      onProgress,
    })
  const inodeIn = (backup: string, id = blobs[0] as string) =>
    statSync(new Layout(join(backup, 'blobs')).path(id)).ino

  it('BACKUP-11 shares unchanged files, keeps the newest ones, and each can be restored alone', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-23T03:00:00Z') })
    const day = async () => {
      vi.setSystemTime(Date.now() + 86_400_000)
      return next()
    }
    const first = await day()
    expect(first.files).toMatchObject({ copiedFiles: blobs.length, keptFiles: 0 })
    const second = await day()
    expect(second).toMatchObject({ pruned: [], files: { copiedFiles: 0, keptFiles: blobs.length } })
    expect(inodeIn(second.target)).toBe(inodeIn(first.target))

    // A damaged file of the previous backup is not taken over.
    const damaged = new Layout(join(second.target, 'blobs')).path(blobs[1] as string)
    chmodSync(damaged, 0o600)
    writeFileSync(damaged, Buffer.alloc(statSync(damaged).size))
    const third = await day()
    vi.useRealTimers()
    expect(third).toMatchObject({ pruned: [first.target], files: { copiedFiles: 1, damaged: [] } })
    expect(readdirSync(target())).toEqual(['2026-11-25T03-00-00Z', '2026-11-26T03-00-00Z'])

    rmSync(second.target, { recursive: true })
    const config = elsewhere()
    const restored = await restore({ config, source: third.target, replace: false, onProgress: ignore })
    expect(restored.files).toMatchObject({ copiedFiles: blobs.length, missing: [], damaged: [] })
  })

  it('BACKUP-11 keeps the newest ones also if the clock is set back, or two are made in one second', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2036-01-01T00:00:00Z') })
    const made = []
    for (let i = 0; i < 3; i++) made.push(await next())
    vi.setSystemTime(Date.parse('2026-11-28T03:00:00Z'))
    made.push(await next())
    vi.useRealTimers()
    expect(made.map(({ pruned }) => pruned)).toEqual([[], [], [made[0]?.target], [made[1]?.target]])
    expect(readdirSync(target())).toEqual(['2036-01-01T00-00-02Z', '2036-01-01T00-00-03Z'])
    expect((await verifyBackup(made[3]?.target as string, ignore)).files).toMatchObject({ damaged: [] })
  })

  it('BACKUP-11 copies what the disk cannot link', async () => {
    const first = await next()
    const otherDisk = mkdtempSync('/dev/shm/lectern-backup-')
    cpSync(join(first.target, 'blobs'), join(otherDisk, 'blobs'), { recursive: true })
    rmSync(join(first.target, 'blobs'), { recursive: true })
    symlinkSync(join(otherDisk, 'blobs'), join(first.target, 'blobs'))
    const second = await next()
    rmSync(otherDisk, { recursive: true })
    expect(second.files).toMatchObject({ copiedFiles: blobs.length, missing: [], damaged: [] })
  })

  it('BACKUP-12 is made by one process at a time in a folder', async () => {
    let other: Promise<string> | undefined
    const made = await next(() => {
      other ??= next().then(
        () => 'made',
        (error: Error) => error.message,
      )
    })
    expect(await other).toBe(`Another backup is being made in ${made.target} right now.`)
    expect(await verifyBackup(made.target, ignore)).toMatchObject({ files: { missing: [], damaged: [] } })
    expect(readdirSync(target())).toHaveLength(1)
  })

  it('BACKUP-11 goes on after one that was interrupted when it was complete already', async () => {
    const first = await next()
    writeFileSync(join(first.target, 'lectern-backup.incomplete'), '')
    const second = await next()
    expect(second.target > first.target).toBe(true)
    const damaged = join(target(), '2099-01-01T00-00-00Z')
    mkdirSync(damaged)
    for (const file of ['lectern-backup.incomplete', 'lectern-backup.json'])
      writeFileSync(join(damaged, file), '')
    expect((await readManifest((await next()).target)).format).toBe(1)
  })

  it('BACKUP-11 continues the last one if it was interrupted', async () => {
    const complete = await next()
    const interrupted = join(target(), '2099-01-01T00-00-00Z')
    mkdirSync(interrupted)
    writeFileSync(join(interrupted, 'lectern-backup.incomplete'), '')
    const continued = await next()
    expect(continued.target).toBe(interrupted)
    expect(inodeIn(interrupted)).toBe(inodeIn(complete.target))
    expect((await readManifest(interrupted)).format).toBe(1)
  })
})
