import type { PartnerClient } from '@lectern/partner'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useCoturn } from '../../support/coturn.ts'
import { type Lectern, useLectern } from '../../support/lectern.ts'
import { joinInstrumented, protocolsOf, UNUSED_PORT } from '../../support/media.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { openSettings } from '../../support/visitor.ts'

const coturn = await useCoturn()
const through = (secret: string) => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_TURN_URLS: ['udp', 'tcp'].map(way => `turn:127.0.0.1:${coturn.port}?transport=${way}`).join(' '),
  SVC_TURN_SECRET: secret,
})
const lectern = useLectern(() => through(coturn.secret))
const stranger = useLectern(() => through('not the secret of coturn'))
const open = useBrowser(FAKE_DEVICES)
/** The network blocks UDP. */
const openWithoutUdp = useBrowser([...FAKE_DEVICES, '--webrtc-ip-handling-policy=disable_non_proxied_udp'], {
  isFullBrowser: true,
})
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

/** TCP to the media worker is blocked as well, so that coturn is the only path. */
const BLOCKED = { ports: { tcp: UNUSED_PORT } }

describe('a participant whose network requires TURN', () => {
  it('sends and receives by TCP to coturn', async () => {
    const { links } = await createHostedRoom(partner, `turn-${++rooms}`, open)
    const anna = await joinInstrumented(open, links.teacher)
    const mia = await joinInstrumented(openWithoutUdp, links.student, BLOCKED)
    const [, seen] = await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])
    console.log(`From the click on Join to the first frame through TURN: ${seen - mia.joinedAt} ms`)
    expect(await protocolsOf(mia)).toEqual(['tcp to a relay', 'tcp to a relay'])
    expect(await protocolsOf(anna)).toEqual(['udp', 'udp'])
    await Promise.all([anna.waitForSound(), mia.waitForSound()])
  })

  it('sends and receives by UDP to coturn', async () => {
    const { links } = await createHostedRoom(partner, `turn-${++rooms}`, open)
    const anna = await joinInstrumented(open, links.teacher)
    const mia = await joinInstrumented(open, links.student, { relayBy: 'udp' })
    await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])
    expect(await protocolsOf(mia)).toEqual(['udp to a relay', 'udp to a relay'])
    await Promise.all([anna.waitForSound(), mia.waitForSound()])
  })

  it('is informed by the connection test', async () => {
    const page = await checkAppearance(lectern, 'test')
    await page.getByText('Your network allows calls only through a relay server').waitFor()
    await page.getByText('Details for support').click()
    const details = await page.getByRole('region', { name: 'Connection' }).locator('dl').textContent()
    expect(details).toMatch(/^UDPblockedTCPblockedTURNavailable/)
  })

  it('is rejected by a TURN server with another secret', async () => {
    const page = await checkAppearance(stranger, 'test')
    await page.getByText('Your network blocks calls').waitFor()
    expect(coturn.log()).toContain('error 401')
  })
})

/** Opens the prejoin page on such a network and starts the connection test. */
async function checkAppearance(service: Lectern, id: string): Promise<Page> {
  const client = service === lectern ? partner : service.client(await service.addAccount())
  const { links } = await createHostedRoom(client, id, open)
  const { page } = await openWithoutUdp('about:blank')
  await page.route('**/connection-test', async route => {
    const response = await route.fetch()
    const body = await response.json()
    for (const candidate of body.ice_candidates)
      if (candidate.protocol === 'tcp') candidate.port = UNUSED_PORT
    await route.fulfill({ response, json: body })
  })
  await page.goto(links.teacher)
  await openSettings(page)
  await page.getByRole('button', { name: 'Check connection' }).click()
  return page
}
