import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PartnerClient } from '@lectern/partner'
import { chromium, type Page } from 'playwright-core'
import type { Classroom } from '../classroom/clients.ts'
import { Guests } from '../support/guests.ts'
import { startService } from '../support/lectern.ts'
import { args } from '../support/size.ts'
import { TaskProcess } from '../support/tasks.ts'
import { renderPortraits } from './portraits.ts'

/** Takes the picture of a class for the README: a real room with drawn people. Argument: the file. */
const [file = 'class.png'] = args
const STUDENTS = ['Ben', 'Mia', 'Amira', 'Zoë', 'Kofi', 'Lena', 'Hana', 'Tom']
const WINDOW = { width: 1200, height: 720 }
const MESSAGES = ['Good morning! We begin on page 42.', 'Raise your hand when you have the first answer.']
const SETTLE_MS = 6_000

const folder = mkdtempSync(join(tmpdir(), 'lectern-picture-'))
const service = await startService(folder, { settings: { SVC_SERVER_LOG_LEVEL: 'error' } })
const students = new TaskProcess<Classroom>(
  fileURLToPath(new URL('../classroom/clients.ts', import.meta.url)),
)
try {
  const portraits = await renderPortraits(folder)
  const partner = new PartnerClient({ baseUrl: service.url, ...service.account })
  const { tag, teacher_join_url } = await partner.createRoom('class', {
    title: 'Algebra, lesson 12',
    teacher: { display_name: 'Anna Petrova' },
  })
  const guests = new Guests(service)
  const tickets = await Promise.all(STUDENTS.map(async name => ({ tag, token: await guests.register(name) })))
  await students.run('show', service.url, tickets, portraits.slice(1))
  await takePicture(teacher_join_url, portraits[0] as string)
  console.log(`The picture is in ${file}`)
} finally {
  students.stop()
  await service.program.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

/** The page of the teacher, whose camera shows the portrait. */
async function takePicture(link: string, portrait: string): Promise<void> {
  const camera = join(folder, 'camera.y4m')
  execFileSync(
    'ffmpeg',
    `-v error -loop 1 -framerate 10 -t 2 -i ${portrait} -pix_fmt yuv420p ${camera}`.split(' '),
  )
  const fake = ['device-for-media-stream', 'ui-for-media-stream'].map(each => `--use-fake-${each}`)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...fake, `--use-file-for-fake-video-capture=${camera}`],
  })
  try {
    const context = await browser.newContext({
      viewport: WINDOW,
      colorScheme: 'light',
      timezoneId: morningTimeZone(),
    })
    const page = await context.newPage()
    await page.goto(link)
    await page.getByText('Your microphone works').waitFor()
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('radio', { name: /^Grid/ }).check({ force: true })
    await page.keyboard.press('Escape')
    await write(page, MESSAGES)
    await page.waitForTimeout(SETTLE_MS)
    await page.screenshot({ path: file })
  } finally {
    await browser.close()
  }
}

async function write(page: Page, messages: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Chat' }).click()
  for (const message of messages) {
    await page.getByRole('textbox', { name: 'Write a message' }).fill(message)
    await page.keyboard.press('Enter')
  }
}

/** A time zone in which it is between nine and ten in the morning now: the messages are of the server's time. */
function morningTimeZone(): string {
  const hours = 9 - new Date().getUTCHours()
  const offset = hours < -12 ? hours + 24 : hours
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}` // the sign is that of POSIX: west is positive
}
