import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'

const guide = readFileSync(
  fileURLToPath(new URL('../../../../../docs/first-lesson.md', import.meta.url)),
  'utf8',
)
const install = readFileSync(
  fileURLToPath(new URL('../../../../../docs/install.md', import.meta.url)),
  'utf8',
)
const blocksIn = (text: string) =>
  [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = '']) => block)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('works as its guide says, with an account made as operators are told', async () => {
  const section = /## Partners\n([\s\S]*?)\n## /.exec(install)?.[1] ?? ''
  const [account = ''] = blocksIn(section)
  const capability = /--capability (\S+)/.exec(account)?.[1] as 'recordings.access'
  const scopes = /--scope ([\w:]+) (\w+)/.exec(account)?.slice(1) ?? []
  await server.addUser('school-tech', { kind: 'technical', capabilities: [capability] })
  const { clientSecret } = await server.operator.serviceAccounts.add('school', 'school-tech', scopes)

  const [, ...steps] = blocksIn(guide)
  expect(steps).toHaveLength(4)
  // The second step is done twice, as it may be.
  const script = [steps[0], steps[1], ...steps.slice(1)].join('\n')
  const env = { ...process.env, LECTERN_URL: server.url, ACCOUNT: 'school', SECRET: clientSecret }
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
  const answers = JSON.parse(`[${stdout.replaceAll('}\n{', '},{')}]`)
  const [created, repeated, teacher, student, archive] = answers
  expect(created).toMatchObject({ created: true, title: 'Algebra' })
  expect(repeated).toEqual({ ...created, created: false })
  for (const [person, role] of [
    [teacher, 'teacher'],
    [student, 'student'],
  ])
    expect(person).toMatchObject({ role, join_url: expect.stringContaining('/j/') })
  expect(archive).toMatchObject({ recordings: [], next: null })
})
