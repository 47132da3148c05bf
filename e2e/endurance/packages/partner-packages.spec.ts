import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { describe, expect, it } from 'vitest'
import { repositoryPath } from '../../support/folders.ts'
import { usePartnerStories } from '../../support/partner-story.ts'
import { usePrograms } from '../../support/program.ts'

const run = usePrograms()
const { lectern, account } = usePartnerStories()

const COMPILER = [
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

/** Compiles a program of `support/generated-client` with the client that `generate` writes, and returns what it prints. */
async function runWithClient(
  program: string,
  generate: (document: OpenAPI3, folder: string) => Promise<void>,
): Promise<unknown> {
  const { serviceAccount, clientSecret } = account()
  const document = (await (await fetch(`${lectern.url}/api/openapi.json`)).json()) as OpenAPI3
  const folder = mkdtempSync(join(repositoryPath('.cache'), 'generated-client-'))
  try {
    await generate(document, folder)
    cpSync(repositoryPath(`e2e/support/generated-client/${program}.ts`), join(folder, `${program}.ts`))
    const tsc = repositoryPath('node_modules/.bin/tsc')
    const compiled = run(tsc, [...COMPILER, `${program}.ts`], { cwd: folder })
    expect({ ...(await compiled.ended), stdout: compiled.stdout }).toMatchObject({ code: 0, stdout: '' })
    const story = run(process.execPath, [`${program}.js`, lectern.url, serviceAccount, clientSecret], {
      cwd: folder,
    })
    expect({ ...(await story.ended), stderr: story.stderr }).toMatchObject({ code: 0, stderr: '' })
    return JSON.parse(story.stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a client generated from the OpenAPI document', () => {
  it('by openapi-typescript compiles, and runs the quickstart', async () => {
    const printed = await runWithClient('quickstart', async (document, folder) =>
      writeFileSync(join(folder, 'api.ts'), astToString(await openapiTS(document))),
    )
    expect(printed).toEqual({
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
  })

  it('by oazapfts compiles, and runs a lesson of version 2', async () => {
    const printed = await runWithClient('lesson', async (document, folder) => {
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
      const oazapfts = repositoryPath('node_modules/.bin/oazapfts')
      const generated = run(oazapfts, ['openapi.json', 'functions.ts'], { cwd: folder })
      expect({ ...(await generated.ended), stderr: generated.stderr }).toMatchObject({ code: 0, stderr: '' })
    })
    expect(printed).toEqual({
      room: [true, '2030-09-01T07:00:00.000Z', 'mp4', false, { course: 'B1' }],
      people: [['teacher-9', 'teacher']],
      links: [true, true],
      live: false,
      isNotLive: true,
      hasSecret: true,
      isEnabled: false,
      isDisabled: true,
      lists: [[], [], []],
      last: 0,
      minutes: 0,
      isMissing: true,
    })
  })
})
