import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { openRoutes } from '../../testing/routes.ts'

const bin = (name: string) =>
  fileURLToPath(new URL(`../../../../../node_modules/.bin/${name}`, import.meta.url))
/** No usage data leaves the machine. */
const env = {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_COLOR: '1',
}

/** A linter starts a process and reads much; a busy machine may need minutes. */
export const LINT_TIMEOUT_MS = 300_000

/** Runs a linter of the OpenAPI document of a server, and returns its output; `failed: …` if it ends with an error. */
export function useLinter() {
  let folder: string
  beforeAll(async () => {
    const routes = await openRoutes()
    folder = mkdtempSync(join(tmpdir(), 'lectern-lint-'))
    const body = (await routes.app.inject('/api/openapi.json')).json()
    await routes.close()
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body, null, 2))
    writeFileSync(join(folder, 'ruleset.json'), JSON.stringify({ extends: ['spectral:oas'] }))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  return (name: string, ...args: string[]): Promise<string> => {
    const options = { cwd: folder, env, maxBuffer: 10_000_000 }
    return promisify(execFile)(bin(name), ['lint', ...args, 'openapi.json'], options).then(
      ({ stdout, stderr }) => stdout + stderr,
      ({ stdout, stderr }) => `failed: ${stdout}${stderr}`,
    )
  }
}
