import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const sandbox = fileURLToPath(new URL('index.ts', import.meta.url))
const OPEN = `const { openSandbox } = await import(${JSON.stringify(sandbox)}); await openSandbox({ isSandboxed: true })`

it('the sandbox runs in a service that has capabilities, as that of the Debian package', async () => {
  const asUser = ['--user', '--map-user=1000', '--map-group=1000', '--keep-caps']
  const open = [process.execPath, '--input-type=module', '--eval', OPEN]
  const { stderr } = await promisify(execFile)('unshare', [...asUser, ...open])
  expect(stderr).toBe('')
})
