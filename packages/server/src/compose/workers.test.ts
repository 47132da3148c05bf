import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Accounts } from '../accounts/accounts.ts'
import { loadConfig } from '../config/index.ts'
import { openMainStore } from '../db/open.ts'
import { userStore } from '../db/users.ts'
import { hasTranscriber } from './workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-model-'))
const store = await openMainStore(':memory:')
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

it('knows an embedded transcriber by its model', async () => {
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
