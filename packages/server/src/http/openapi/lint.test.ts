import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

let routes: Awaited<ReturnType<typeof openRoutes>>
let folder: string
beforeAll(async () => {
  routes = await openRoutes()
  folder = mkdtempSync(join(tmpdir(), 'lectern-lint-'))
  const body = (await routes.app.inject('/api/openapi.json')).json()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(body, null, 2))
  writeFileSync(join(folder, 'ruleset.json'), JSON.stringify({ extends: ['spectral:oas'] }))
})
afterAll(async () => {
  await routes.close()
  rmSync(folder, { recursive: true })
})

/** What a linter reports about the document: its output, if it finds anything. */
async function lint(name: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env, maxBuffer: 10_000_000 }
  return promisify(execFile)(bin(name), ['lint', ...args, 'openapi.json'], options).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => `failed: ${stdout}${stderr}`,
  )
}

/** A linter starts a process and reads much; a busy machine may need minutes. */
const TIMEOUT_MS = 300_000

describe('the OpenAPI document has nothing that a linter reports', () => {
  it(
    'with the recommended rules of Redocly',
    async () => {
      const report = await lint('redocly', '--extends=recommended', '--format=json')
      expect(report).not.toMatch(/^failed/)
      expect(JSON.parse(report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1))).toMatchObject({
        totals: { errors: 0, warnings: 0, ignored: 0 },
      })
    },
    TIMEOUT_MS,
  )

  it(
    'with all rules of Spectral for OpenAPI',
    async () => {
      const report = await lint('spectral', '--ruleset=ruleset.json', '--fail-severity=hint', '--format=json')
      expect(report.trim()).toMatch(/^\[\]/)
    },
    TIMEOUT_MS,
  )
})
