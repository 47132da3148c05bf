import { expect, it } from 'vitest'
import { useBrowser } from '../../support/browser.ts'
import { checkConnection, factsOf } from '../../support/connection-check.ts'
import { useLectern } from '../../support/lectern.ts'
import { createLinks } from '../../support/links.ts'

const lectern = useLectern()
/** The shell has no such policy. */
const open = useBrowser(['--webrtc-ip-handling-policy=disable_non_proxied_udp'], { isFullBrowser: true })

it('the connection test detects a network that blocks UDP', async () => {
  const { student } = await createLinks(lectern.client(await lectern.addAccount()))
  const { page } = await open(student)
  expect(await checkConnection(page)).toBe(
    'Your network blocks the fastest route. Calls work, but audio and video may freeze at times.',
  )
  expect(await factsOf(page)).toMatchObject({ UDP: 'blocked', TCP: 'available' })
})
