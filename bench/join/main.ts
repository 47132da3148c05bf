import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PartnerClient } from '@lectern/partner'
import type { Page } from 'playwright-core'
import type { Classroom } from '../classroom/clients.ts'
import { enter, openBrowser } from '../recording/people.ts'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { size } from '../support/size.ts'
import { spread } from '../support/statistics.ts'
import { TaskProcess } from '../support/tasks.ts'
import { observe, type Step } from './observe.ts'

/**
 * The time from the click on Join to the first frame of a person who is already in the room: median and longest of ROUNDS
 * visits, each in a new profile of the same browser, and the steps on the way. The person is another page on the same
 * machine, or sends without a browser and leaves both cores to the visitor, as a person elsewhere does. Needs two idle
 * cores.
 */
const ROUNDS = size('ROUNDS', 20, 1)
const AIM_MS = { median: 400, longest: 700 }
/** Waits on the prejoin page before joining. */
const PREJOIN_MS = 1_500
/** From the pointer's arrival at the button to the click: a quick hand. */
const APPROACH_MS = 150
/**
 * What a client without a browser sends: the frames of a camera. Each is a key frame, as a camera answers a request for one
 * with its next frame, and this client answers no requests.
 */
const VIDEO = { width: 640, height: 360 }
const FRAME_MS = 40

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
const browser = await openBrowser()
const others = new TaskProcess<Classroom>(fileURLToPath(new URL('../classroom/clients.ts', import.meta.url)))
try {
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const createRoom = (id: string) =>
    partner.createRoom(id, { teacher: { display_name: 'Anna' }, student: { display_name: 'Ben' } })

  const lesson = await createRoom('lesson')
  const token = await new Guests(service).register('Anna')
  await others.run('join', service.url, [{ tag: lesson.tag, token }], VIDEO, 1, FRAME_MS)
  await visitTimes('the other person elsewhere', lesson.student_join_url)
  others.stop()

  const shared = await createRoom('shared-cores')
  await enter(browser, shared.teacher_join_url, {})
  await visitTimes('the other person on the same two cores', shared.student_join_url)
} finally {
  others.stop()
  await browser.close()
  await service.program.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function visitTimes(what: string, link: string): Promise<void> {
  console.log(what)
  const visits: Step[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const visit = await visitRoom(link)
    visits.push(visit)
    console.log(`  ${visit.map(({ name, atMs }) => `${name} ${atMs}`).join(', ')}`)
  }
  const firstFrames = visits.map(steps => steps.find(({ name }) => name === 'frame')?.atMs ?? Number.NaN)
  console.log(`Join to the first remote frame, ms: ${spread(firstFrames)}, ${ROUNDS} visits`)
  console.log(`aim: median ${AIM_MS.median}, longest ${AIM_MS.longest}`)
}

/** Joins in a new profile, and leaves. */
async function visitRoom(link: string): Promise<Step[]> {
  const context = await browser.browser.newContext({ viewport: { width: 1280, height: 720 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(observe, 'Anna')
    await page.goto(link)
    await page.getByText('Your microphone works').waitFor()
    // Playwright brings its own script into the page with the first such call, which takes 20 ms: not during the join.
    await page.waitForFunction(() => 'lecternSteps' in window)
    await page.waitForTimeout(PREJOIN_MS)
    const button = page.getByRole('button', { name: 'Join' })
    await button.hover()
    await page.waitForTimeout(APPROACH_MS)
    await button.click()
    return await stepsOf(page)
  } finally {
    await context.close()
  }
}

async function stepsOf(page: Page): Promise<Step[]> {
  await page.waitForFunction(
    () => 'lecternSteps' in window && (window.lecternSteps as Step[]).some(({ name }) => name === 'frame'),
    undefined,
    { polling: 100 },
  )
  return page.evaluate(() => (window as unknown as { lecternSteps: Step[] }).lecternSteps)
}
