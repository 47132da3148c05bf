import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { repositoryPath, useFolders } from './support/folders.ts'
import { ensureBuilt, LECTERN } from './support/lectern.ts'
import { resolveLink } from './support/links.ts'
import { usePrograms } from './support/program.ts'

const makeFolder = useFolders()
const run = usePrograms()
const open = useBrowser([], { keepsPagesOpen: true })

/** The output of npm start. */
let screen: { url: string; account: string; secret: string; teacher: string; student: string }

beforeAll(async () => {
  ensureBuilt()
  const data = join(makeFolder(), 'data')
  const quickstart = run(process.execPath, [LECTERN, 'quickstart', '--data', data, '--port', '0'], {
    env: { SVC_MEDIA_LISTEN_ON_HOST_ADDRESS: '0' }, // tests open no ports to the network
  })
  await quickstart.waitForOutput(/Ctrl\+C/)
  const [teacher, student] = quickstart.stdout.match(/^ *http\S+\/j\/\S+$/gm) ?? []
  screen = {
    url: read(quickstart.stdout, /is running at (\S+)/),
    account: read(quickstart.stdout, /Service account +(\S+)/),
    secret: read(quickstart.stdout, /Client secret +(\S+)/),
    teacher: String(teacher).trim(),
    student: String(student).trim(),
  }
})

describe('lectern quickstart', () => {
  it('prints links that open the demo lesson in a browser', async () => {
    const { page, console: said } = await open(screen.teacher)
    for (const [role, name] of [
      ['teacher', 'Teacher'],
      ['student', 'Student'],
    ] as const) {
      await page.goto(screen[role])
      await page.getByRole('heading', { level: 1, name: 'Demo lesson' }).waitFor()
      expect(await page.locator('main').textContent()).toContain(name)
    }
    expect(said).toEqual([])
  })
})

describe('the five-minute quickstart of README.md', () => {
  it('works exactly as written, with the documented responses', async () => {
    const blocks = readBlocks('README.md')
    expect(blocks).toHaveLength(7)
    const [signIn, create, addTeacher, addStudent, move, listEvents, remove] = blocks as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    // Repeated as the text says it may be.
    const steps = [signIn, create, create, addTeacher, addStudent, addStudent, move, listEvents, remove]
    const answers = (await runInBash(steps)).map(parse)
    const [nothing, first, second, teacher, student, again, moved, events, deletion] = answers
    const { created, ...room } = first ?? {}

    expect(nothing).toBeNull()
    expect(room).toMatchObject({
      result: 200,
      external_id: 'algebra-12',
      title: 'Algebra, lesson 12',
      live: false,
    })
    expect(second).toEqual({ ...room, created: false })
    expect(created).toBe(true)
    expect(teacher).toMatchObject({ display_name: 'Anna Petrova', role: 'teacher', external_id: 'teacher-7' })
    expect(again).toEqual(student)
    expect(moved).toMatchObject({ title: 'Algebra, lesson 12 (moved)', ends_at: '2030-09-01T08:00:00.000Z' })
    expect(events).toMatchObject({ events: [], next: null })
    expect(deletion).toMatchObject({ result: 200 })

    expect(await resolveLink(String(student?.join_url))).toMatchObject({ result: 404 })
  })
})

describe('the quickstart of version 1 in docs/partner-api.md', () => {
  it('works exactly as written, with the documented responses', async () => {
    const blocks = readBlocks('docs/partner-api.md')
    expect(blocks).toHaveLength(5)
    const [signIn, create, getStatus, move, close] = blocks as [string, string, string, string, string]
    // Creating is repeated: "Repeating the call changes nothing and answers the same."
    const answers = (await runInBash([signIn, create, create, getStatus, move, close])).map(parse)
    const [nothing, first, second, status, moved, closed] = answers
    const { created, ...room } = first ?? {}
    const { created: _, ...again } = second ?? {}

    expect(nothing).toBeNull()
    expect(room).toMatchObject({
      result: 200,
      title: 'Algebra, lesson 12',
      teacher: { display_name: 'Anna Petrova', external_id: 'teacher-7' },
      student: { display_name: 'Ben' },
      tag: expect.stringMatching(/./),
    })
    expect([created, second?.created]).toEqual([true, false])
    expect(again).toEqual(room)
    const { differing_fields: __, ...stored } = room
    expect(status).toMatchObject({ status: 'scheduled', live: false })
    expect(moved).toEqual({
      ...stored,
      title: 'Algebra, lesson 12 (moved)',
      ends_at: '2030-09-01T11:00:00+03:00',
    })
    expect(closed).toEqual({ ...moved, status: 'closed' })

    expect(await resolveLink(String(closed?.student_join_url))).toMatchObject({ code: 'room_closed' })
  })
})

type Answer = Record<string, unknown> | null

const parse = (output: string): Answer => (output.trim() ? JSON.parse(output) : null)

/** The commands between the markers. */
function readBlocks(document: string): string[] {
  const text = readFileSync(repositoryPath(document), 'utf8')
  const section = read(text, /<!-- quickstart -->(.*)<!-- \/quickstart -->/s)
  return [...section.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].map(([, indent, block]) =>
    String(block).replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

/** Runs the commands in one shell and returns the output of each. */
async function runInBash(blocks: string[]): Promise<string[]> {
  const end = '---- end of a block ----'
  const script = ['set -e', ...blocks.map(block => `${block}\necho '${end}'`)].join('\n')
  const bash = run('bash', ['-c', script], {
    cwd: makeFolder(),
    env: { LECTERN_URL: screen.url, ACCOUNT: screen.account, SECRET: screen.secret },
  })
  const { code } = await bash.ended
  expect({ code, stderr: bash.stderr }).toEqual({ code: 0, stderr: '' })
  return bash.stdout.split(`${end}\n`).slice(0, -1)
}

function read(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`Nothing matches ${pattern} in:\n${text}`)
  return found
}
