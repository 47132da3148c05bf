import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { renderPortraits } from '../class/portraits.ts'
import { startService } from '../support/lectern.ts'
import { args } from '../support/size.ts'
import { takeHome } from './home.ts'
import { Camera } from './looks.ts'
import { takeRoom } from './room.ts'

/** Takes pictures of all screens, for people who review them. Argument: the folder. */
const [target = 'screenshots'] = args
const wanted = process.env.SCREENS ?? 'all'

const folder = mkdtempSync(join(tmpdir(), 'lectern-screens-'))
const settings = {
  SVC_SERVER_LOG_LEVEL: 'error',
  ...((wanted === 'home' || wanted === 'all') && {
    SVC_RECORDER_EMBEDDED: '1',
    SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '5',
  }),
}
const service = await startService(folder, { settings })
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
  ],
})
try {
  const camera = new Camera(resolve(target))
  const portraits = await renderPortraits(folder)
  if (wanted === 'home' || wanted === 'all') await takeHome(service, browser, camera, portraits)
  const part = wanted === 'ends' || wanted === 'lesson' ? ([wanted] as const) : undefined
  if (wanted !== 'home') await takeRoom(service, browser, camera, portraits, part)
  console.log(`${camera.count} pictures are in ${resolve(target)}`)
} finally {
  await browser.close()
  await service.program.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
