/**
 * Runs in a network namespace: starts a quickstart in the given folder, and joins its demo room as two participants in
 * a Firefox with default network preferences. Prints what the teacher sees as one line of JSON.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { firefox, type Page } from 'playwright-core'

const [lectern = '', data = ''] = process.argv.slice(2)
const DEADLINE_MS = 90_000

const quickstart = spawn(process.execPath, [lectern, 'quickstart', '--port', '0', '--json', '--data', data], {
  env: {
    ...process.env,
    SVC_RECORDER_EMBEDDED: '0',
    SVC_TRANSCRIBER_EMBEDDED: '0',
    SVC_CONVERTER_EMBEDDED: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(createInterface(quickstart.stdout), 'line')
const { room } = JSON.parse(line)

const browser = await firefox.launch({
  channel: 'moz-firefox',
  executablePath: '/usr/bin/firefox-esr',
  firefoxUserPrefs: { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true },
})

async function join(link: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByText('Check connection').click()
  await page.getByText('Your connection is good').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Join' }).click()
  return page
}

const teacher = await join(room.teacher_join_url)
await join(room.student_join_url)
const video = teacher.locator('video').and(teacher.getByLabel('Student', { exact: true }))
await video.waitFor()
// The width is non-zero once a frame was decoded.
const width = () => video.evaluate(element => (element as HTMLVideoElement).videoWidth)
for (const end = Date.now() + DEADLINE_MS; (await width()) === 0 && Date.now() < end; )
  await teacher.waitForTimeout(100)
const result = { width: await width() }
await browser.close()
quickstart.kill('SIGTERM')
console.log(JSON.stringify(result))
