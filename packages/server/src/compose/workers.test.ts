import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Accounts } from '../accounts/accounts.ts'
import { userStore } from '../accounts/stores/users.ts'
import { loadConfig } from '../platform/config/index.ts'
import { openMainStore } from '../platform/db/open.ts'
import { hasTranscriber, mediaIpOf } from './workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-model-'))
const store = await openMainStore(':memory:')
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

it('has an embedded transcriber if it is enabled and its model exists', async () => {
  const accounts = new Accounts(userStore(store.db), () => 0)
  const configured = (Embedded: string, ModelDir: string) =>
    hasTranscriber(
      loadConfig(undefined, { SVC_TRANSCRIBER_EMBEDDED: Embedded, SVC_TRANSCRIBER_MODEL_DIR: ModelDir }),
      accounts,
    )
  expect(await configured('1', folder)).toBe(true)
  expect(await configured('1', join(folder, 'none'))).toBe(false)
  expect(await configured('0', folder)).toBe(false)
})

it('uses the advertised address for media from media nodes and other servers', async () => {
  const ipFor = (advertise: string) =>
    mediaIpOf(
      loadConfig(undefined, {
        SVC_DB_URL: 'postgres://db/lectern',
        SVC_STORAGE_URL: 's3://bucket',
        SVC_STORAGE_S3_ACCESS_KEY_ID: 'id',
        SVC_STORAGE_S3_SECRET_ACCESS_KEY: 'secret',
        SVC_SERVER_JWT_SECRET: 'a secret of a cluster, long enough',
        SVC_CLUSTER_NATS: 'nats://127.0.0.1',
        SVC_CLUSTER_ADVERTISE: advertise,
      }),
    )
  expect(await ipFor('http://10.0.0.5:8080')).toBe('10.0.0.5')
  expect(await ipFor('http://[fd00::5]:8080')).toBe('fd00::5')
  expect(await ipFor('http://localhost:8080')).toMatch(/^(127\.0\.0\.1|::1)$/)
  expect(await mediaIpOf(loadConfig(undefined, {}))).toBe('127.0.0.1')
})
