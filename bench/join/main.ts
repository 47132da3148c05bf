import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PartnerClient } from '@lectern/partner'
import type { Page } from 'playwright-core'
import { enter, openBrowser } from '../recording/people.ts'
import { startService } from '../support/lectern.ts'
import { spread } from '../support/statistics.ts'
import { observe, type Step } from './observe.ts'

/**
 * The time from the click on Join to the first frame of the teacher, who is already in the room: median and longest of
 * ROUNDS visits, each in a new profile of the same browser, and the steps on the way. Needs two idle cores.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 20)
const AIM_MS = { median: 400, longest: 700 }
/** Waits on the prejoin page before joining. */
const PREJOIN_MS = 1_500
/** From the pointer's arrival at the button to the click: a quick hand. */
const APPROACH_MS = 150

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'))
const service = await startService(folder)
const browser = await openBrowser()
try {
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const room = await partner.createRoom('lesson', {
    teacher: { display_name: 'Anna' },
    student: { display_name: 'Ben' },
  })
  await enter(browser, room.teacher_join_url, {})
  const visits: Step[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const visit = await visitRoom(room.student_join_url)
    visits.push(visit)
    console.log(`  ${visit.map(({ name, atMs }) => `${name} ${atMs}`).join(', ')}`)
  }
  const firstFrames = visits.map(steps => steps.find(({ name }) => name === 'frame')?.atMs ?? Number.NaN)
  console.log(`Join to the first remote frame, ms: ${spread(firstFrames)}, ${ROUNDS} visits`)
  console.log(`aim: median ${AIM_MS.median}, longest ${AIM_MS.longest}`)
} finally {
  await browser.close()
  await service.program.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Joins in a new profile, and leaves. */
async function visitRoom(link: string): Promise<Step[]> {
  const context = await browser.browser.newContext({ viewport: { width: 1280, height: 720 } })
  try {
    const page = await context.newPage()
    await page.addInitScript(observe, 'Anna')
    await page.goto(link)
    await page.getByText('Your microphone works').waitFor()
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
  )
  return page.evaluate(() => (window as unknown as { lecternSteps: Step[] }).lecternSteps)
}
