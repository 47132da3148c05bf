import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { NewerVersion } from '../../platform/db/migrate.ts'
import type { DatabaseState, Records } from './check.ts'
import { findingFor } from './disk.ts'
import { DATA_IN_FOLDER, database, none, useDoctor } from './testing/diagnosis.ts'

const { own, writeFile, diagnose, withStores } = useDoctor()

describe('the doctor, of databases and files,', () => {
  it.each([
    [0o600, 'ok'],
    [0o640, 'ok'],
    [0o644, 'warn'],
    [0o660, 'warn'],
  ])('reports a configuration file of mode %o as %s', async (mode, status) => {
    chmodSync(join(own.folder, 'lectern.ini'), mode)
    expect((await diagnose()).find('config')).toMatchObject({ status })
  })

  it('says how to protect a data folder that other users can access', async () => {
    expect((await diagnose(DATA_IN_FOLDER)).find('data folder')).toMatchObject({ status: 'ok' })
    chmodSync(own.folder, 0o755)
    expect((await diagnose(DATA_IN_FOLDER)).find('data folder')).toMatchObject({
      status: 'warn',
      todo: `Run: chmod -R go= ${own.folder}.`,
    })
  })

  it.each(['recorder', 'transcriber', 'converter'] as const)(
    'finds that the account of the embedded %s was disabled, or has lost its capability',
    async name => {
      const account = { createdAt: 0, login: `${name}-embedded`, disabledAt: null, capabilities: [] }
      const finding = async (changes: Partial<Records['users'][number]>) =>
        (await diagnose(DATA_IN_FOLDER, withStores({ users: [{ ...account, ...changes }] }))).find(name)
      const capabilities = [`jobs.${name}` as const]
      expect(await finding({})).toMatchObject({
        status: 'fail',
        todo: `Run: lectern user set ${name}-embedded --capability jobs.${name}.`,
      })
      expect(await finding({ capabilities, disabledAt: 1 })).toMatchObject({
        status: 'fail',
        todo: expect.stringContaining('--enable'),
      })
      expect((await finding({ capabilities }))?.status).not.toBe('fail')
    },
  )

  it('lets the group of a proxy read the files that it sends, and nobody else', async () => {
    const files = join(own.folder, 'files')
    mkdirSync(files)
    const settings = { SVC_STORAGE_SENDFILE_HEADER: 'X-Accel-Redirect', SVC_SERVER_TRUST_PROXY: 'loopback' }
    const finding = async (mode: number, env: Record<string, string>) => {
      chmodSync(files, mode)
      return (await diagnose({ ...DATA_IN_FOLDER, SVC_STORAGE_URL: files, ...env })).find('data folder')
    }
    expect(await finding(0o2750, settings)).toMatchObject({ status: 'ok' })
    expect(await finding(0o2750, {})).toMatchObject({ status: 'warn', todo: `Run: chmod -R go= ${files}.` })
    expect(await finding(0o2775, settings)).toMatchObject({ todo: `Run: chmod -R g-w,o= ${files}.` })
  })

  it('names the service accounts with a plain-text secret', async () => {
    const account = { createdAt: 0, secretHash: 'hmac-sha256:x' }
    const serviceAccounts = [
      { ...account, name: 'a', secretHash: 'plain:x' },
      { ...account, name: 'b' },
      { ...account, name: 'c', secretHash: 'hmac-sha256:x 1900000000 plain:y' },
    ]
    const found = await diagnose(DATA_IN_FOLDER, withStores({ serviceAccounts }))
    expect(found.find('service accounts')).toMatchObject({
      status: 'warn',
      says: 'Secrets stored in plain text: a, c.',
      todo: 'Replace each secret: lectern service-account rotate NAME --now.',
    })
    const hashed = await diagnose(
      DATA_IN_FOLDER,
      withStores({ serviceAccounts: [{ ...account, name: 'b' }] }),
    )
    expect(hashed.find('service accounts')).toMatchObject({ status: 'ok' })
  })

  it('does not create databases before the first start', async () => {
    const readRecords = vi.fn(async () => none)
    expect((await diagnose({}, { readRecords })).find('stores')).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('Created at the first start'),
    })
    expect(readRecords).not.toHaveBeenCalled()
  })

  it('says of a database of a newer version which version can read it', async () => {
    writeFile('lectern.db', '')
    const probes = { readRecords: () => Promise.reject(new NewerVersion()) }
    expect((await diagnose(DATA_IN_FOLDER, probes)).find('stores')).toMatchObject({
      status: 'fail',
      says: 'The database was written by a newer version of Lectern.',
      todo: expect.stringMatching(/^Install that version again, or restore a backup/),
    })
  })

  it('reports databases that cannot be opened or written', async () => {
    const broken = {
      ...withStores({}),
      readRecords: () => Promise.reject(new Error('file is not a database')),
    }
    const found = await diagnose(DATA_IN_FOLDER, broken)
    expect(found.find('stores')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('not a database'),
    })
    expect(found.find('service accounts')).toMatchObject({ status: 'warn' })

    const blocked = await diagnose({ SVC_SERVER_DATA_DIR: join(writeFile('file', ''), 'data') })
    expect(blocked.find('stores')).toMatchObject({ status: 'fail', says: expect.stringContaining('ENOTDIR') })
  })

  it('checks a PostgreSQL database, and shows no password', async () => {
    const env = { SVC_DB_URL: 'postgres://lectern:geheim@db.example:5433/school' }
    const finding = async (state: Partial<DatabaseState>, maxConnections = '10') => {
      const settings = { ...env, SVC_DB_MAX_CONNECTIONS: maxConnections, SVC_INTEGRATION_ENABLED: '1' }
      const inspectDatabase = async () => ({ ...database, ...state })
      return (await diagnose(settings, { inspectDatabase })).find('stores')
    }
    expect(await finding({})).toEqual({
      name: 'stores',
      status: 'ok',
      says: 'PostgreSQL at db.example:5433/school, version 15.18',
    })
    expect(await finding({ hasStores: false })).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('created at the first start'),
    })
    expect(await finding({ version: 130_011, versionName: '13.11' })).toMatchObject({ status: 'fail' })
    const latin = {
      inspectDatabase: async () => ({ ...database, encoding: 'LATIN1' }),
      readRecords: () => Promise.reject(new Error('refused, as at the start')),
    }
    expect((await diagnose(env, latin)).find('stores')).toMatchObject({
      status: 'fail',
      todo: 'Create the database with ENCODING UTF8.',
    })
    expect(await finding({ isReadOnly: true })).toMatchObject({ status: 'fail' })
    expect(await finding({ hasUnicodeCollation: false })).toMatchObject({ status: 'warn' })
    expect(await finding({}, '60')).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('may need 133'),
    })

    const refused = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5433'))
    const report = await diagnose(env, { inspectDatabase: refused })
    expect(report.find('stores')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('ECONNREFUSED'),
    })
    expect(report.find('service accounts')).toMatchObject({ status: 'warn' })
    expect(JSON.stringify(report)).not.toContain('geheim')
  })

  it.each([
    [6e9, 'ok'],
    [4.9e9, 'warn'],
    [499e6, 'fail'],
  ])('reports %d free bytes as %s', (free, status) => {
    expect(findingFor({ free, folder: 'here', key: '[Server] DataDir' })).toMatchObject({ status })
  })

  it('names the disk of the recordings, if that is the fuller one', async () => {
    // The file system of processes has no space.
    const found = await diagnose({ ...DATA_IN_FOLDER, SVC_STORAGE_URL: '/proc/recordings' })
    expect(found.find('disk space')).toMatchObject({
      status: 'fail',
      says: '0.0 GB free in /proc/recordings',
      todo: expect.stringContaining('[Storage] Url'),
    })
  })
})
