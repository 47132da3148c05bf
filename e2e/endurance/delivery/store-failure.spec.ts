import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, it } from 'vitest'
import { useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { useSmallDisks } from '../../support/small-disk.ts'
import {
  ADMINISTRATION,
  ADMINISTRATIVE_ACTION,
  type Operation,
  UNAVAILABLE,
  writingOperations,
} from '../../support/writing-operations.ts'

const DISK_MIB = 64

const dataFolder = useFolders()()
const disk = await useSmallDisks()(dataFolder, DISK_MIB)
const lectern = useLectern(() => ({ SVC_SERVER_DATA_DIR: dataFolder, SVC_LIMITS_ENABLED: '0' }))

/** Routes without database writes, and routes whose behaviour on a full disk is documented separately. */
const WITHOUT_WRITE = [
  'POST /api/v1/integration/auth/token',
  'POST /api/v1.0/connection-test',
  // Answers before it writes, so that its time tells nothing (rule RESET-3).
  'POST /api/v1.0/auth/password-reset',
  // Requires a mail of a missed call.
  'POST /api/v1.0/missed-call-mails/{token}',
  // Requires a delivery that is not being sent, and a secret that is being replaced.
  'POST /api/v1/integration/webhook/deliveries/{delivery_id}/replay',
  'POST /api/v1/integration/webhook/rotate/finish',
  // Require a recording.
  'DELETE /api/v1.0/me/recordings/{recording_id}',
  'POST /api/v1.0/me/recordings/{recording_id}/files/{blob_id}/link',
  'DELETE /api/v2/integration/recordings/{recording_id}',
  'DELETE /api/v2/integration/recordings/{recording_id}/links/{link_id}',
  'POST /api/v2/integration/recordings/{recording_id}/links',
  // Require a document, and a converter.
  ...['v1', 'v2'].map(version => `PUT /api/${version}/integration/rooms/{external_id}/slides`),
  // Requires a file.
  'DELETE /api/v1.0/files/{file_id}',
  // Require failed deliveries.
  'POST /api/v2/integration/endpoints/{endpoint_id}/deliveries/{delivery_id}/replay',
  'POST /api/v2/integration/endpoints/{endpoint_id}/replay',
  // Require a session.
  ...['end', 'messages', 'recording/start', 'recording/stop'].map(
    action => `POST /api/v2/integration/rooms/{external_id}/${action}`,
  ),
  ...['mute', 'remove'].map(
    action => `POST /api/v2/integration/rooms/{external_id}/participants/{participant_id}/${action}`,
  ),
  // Require an identity provider.
  'POST /api/v1.0/auth/sso/start',
  'POST /api/v1.0/auth/sso/complete',
  'POST /api/v1.0/me/identities/start',
  'POST /api/v1.0/me/identities',
  'DELETE /api/v1.0/me/identities',
]

/** Each of them waits several seconds for the database. */
const LOCKED = [
  'PUT /api/v1/integration/rooms/{external_id}',
  'PUT /api/v1/integration/webhook',
  'POST /api/v1.0/auth/guest',
]

const { prepare, perform } = writingOperations(lectern)
let operations: Operation[]
beforeAll(async () => {
  operations = await prepare()
})

/** Runs `work` while another process has both databases open, like a backup. */
async function withDatabases(sql: string, work: () => Promise<void>) {
  const opened = ['lectern.db', 'integration.db'].map(name => new Database(join(dataFolder, name)))
  for (const database of opened) database.exec(sql)
  try {
    await work()
  } finally {
    for (const database of opened) database.close()
  }
}

describe('a database that cannot be written', () => {
  it('affects every writing operation of the API reference', async () => {
    const { paths } = (await (await fetch(`${lectern.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>
    }
    const writing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter(method => ['post', 'put', 'patch', 'delete'].includes(method))
        .map(method => `${method.toUpperCase()} ${path}`)
        .filter(name => !name.includes(ADMINISTRATION) || name === ADMINISTRATIVE_ACTION)
        .filter(name => !name.includes('/api/storage/uploads')) // endurance/recording/full-disk.spec.ts
        // They join as every client of the control channel does, with an offer of media.
        .filter(name => !/\/wh[ie]p(\/|$)/.test(name)),
    )
    const tested: string[] = operations.map(({ name }) => name)
    expect([...tested, ...WITHOUT_WRITE].sort()).toEqual(writing.sort())
  })

  it('causes 503 with Retry-After while another program has locked it', async () => {
    await withDatabases('BEGIN IMMEDIATE', async () => {
      for (const operation of operations.filter(({ name }) => LOCKED.includes(name)))
        expect(await perform(operation), operation.name).toEqual(UNAVAILABLE)
    })
  })

  it('causes 503 with Retry-After while its disk is full, and works again when space is available', async () => {
    // An open reader prevents SQLite from reusing the space of its write-ahead log.
    await withDatabases('BEGIN; SELECT count(*) FROM sqlite_master', async () => {
      disk.fill()
      for (const operation of operations)
        expect(await perform(operation), operation.name).toEqual(UNAVAILABLE)
      disk.clear()
      for (const operation of operations)
        expect(await perform(operation), operation.name).toMatchObject({
          status: expect.toSatisfy(isSuccess),
        })
    })
  })
})

const isSuccess = (status: number) => status >= 200 && status < 300
