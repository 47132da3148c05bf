import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { describe, expect, it } from 'vitest'
import { repositoryPath } from '../../support/folders.ts'
import { usePartnerStories } from '../../support/partner-story.ts'
import { usePrograms } from '../../support/program.ts'

const run = usePrograms()
const { lectern, account } = usePartnerStories()

describe('a client generated from the OpenAPI document', () => {
  it('compiles, and runs the quickstart', async () => {
    const { serviceAccount, clientSecret } = account()
    const document = (await (await fetch(`${lectern.url}/api/openapi.json`)).json()) as OpenAPI3
    const folder = mkdtempSync(join(repositoryPath('.cache'), 'generated-client-'))
    try {
      writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document)))
      cpSync(repositoryPath('e2e/support/generated-client/quickstart.ts'), join(folder, 'quickstart.ts'))
      const options = [
        '--target',
        'es2023',
        '--module',
        'nodenext',
        '--lib',
        'es2024,dom',
        '--strict',
        '--types',
        'node',
        '--ignoreConfig',
      ]
      const compiled = run(repositoryPath('node_modules/.bin/tsc'), [...options, 'quickstart.ts'], {
        cwd: folder,
      })
      expect({ ...(await compiled.ended), stdout: compiled.stdout }).toMatchObject({ code: 0, stdout: '' })
      const quickstart = run(process.execPath, ['quickstart.js', lectern.url, serviceAccount, clientSecret], {
        cwd: folder,
      })
      expect({ ...(await quickstart.ended), stderr: quickstart.stderr }).toMatchObject({
        code: 0,
        stderr: '',
      })
      expect(JSON.parse(quickstart.stdout)).toEqual({
        type: 'Bearer',
        created: true,
        teacher: 'teacher-9',
        live: false,
        listed: ['generated/1'],
        changed: 'Changed',
        webhook: true,
        read: ['recording.ready'],
        deliveries: 0,
        recordings: true,
        closed: 'closed',
        isMissing: true,
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
