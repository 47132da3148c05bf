import { beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { checkConnection, factsOf } from './support/connection-check.ts'
import { useLectern } from './support/lectern.ts'
import { createLinks } from './support/links.ts'

const UNREACHABLE = '198.51.100.7' // RFC 5737: reserved for documentation

const lectern = useLectern()
const open = useBrowser()
let links: Awaited<ReturnType<typeof createLinks>>
beforeAll(async () => {
  links = await createLinks(lectern.client(await lectern.addAccount()))
})

/** A network that blocks UDP, and one that needs TURN, are in endurance/media. */
describe('the connection test', () => {
  it('reports a good connection, and shows details for support', async () => {
    const { page, console } = await open(links.teacher)
    expect(await checkConnection(page)).toBe(
      'Your connection is good. Audio and video take the direct route.',
    )
    expect(await factsOf(page)).toMatchObject({
      UDP: 'available',
      TCP: 'available',
      TURN: 'not offered',
      Server: new URL(lectern.url).host,
    })
    expect(console).toEqual([])
  })

  it('detects a network that blocks all media', async () => {
    const { page, context } = await open(links.student)
    const { hostname } = new URL(lectern.url)
    await context.route('**/connection-test', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll(hostname, UNREACHABLE) })
    })
    expect(await checkConnection(page)).toBe(
      'Your network blocks calls. Try another network, such as mobile data.',
    )
    expect(await factsOf(page)).toMatchObject({ UDP: 'blocked', TCP: 'blocked' })
  })
})
