import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { freePort } from '@lectern/server/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { useLectern } from '../../support/lectern.ts'
import {
  joinInstrumented,
  measureFrameGap,
  protocolsOf,
  receivedVideo,
  waitForVideo,
} from '../../support/media.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { useUdpProxies } from '../../support/udp-proxy.ts'
import { waitFor } from '../../support/wait.ts'

const mediaPort = await freePort()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_MEDIA_PORT: String(mediaPort),
}))
const open = useBrowser(FAKE_DEVICES)
const makePath = useUdpProxies()
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

/** Longer than a browser needs to detect a blocked path. */
const FORGETS_MS = 8_000

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

/** Mia's UDP uses a separate proxy; TCP would connect directly. */
async function begin() {
  const { links } = await createHostedRoom(partner, `network-${++rooms}`, open)
  const path = await makePath(mediaPort)
  const anna = await joinInstrumented(open, links.teacher)
  const mia = await joinInstrumented(open, links.student, { ports: { udp: path.port } })
  await Promise.all([anna.waitForVideo(MIA), mia.waitForVideo(ANNA)])
  expect(await protocolsOf(mia)).toEqual(['udp', 'udp'])
  const gaps = [measureFrameGap(anna, MIA), measureFrameGap(mia, ANNA)]
  const longestGaps = () => Promise.all(gaps.map(end => end()))
  return { anna, mia, path, longestGaps }
}

describe('a call', () => {
  it('continues over TCP at the same endpoint when UDP becomes blocked', async () => {
    const { anna, mia, path, longestGaps } = await begin()
    const { track } = (await receivedVideo(mia, ANNA)) ?? {}
    path.cut()
    await waitFor(async () => (await protocolsOf(mia)).join() === 'tcp,tcp', 'both directions go by TCP')
    await Promise.all([waitForVideo(anna, MIA), waitForVideo(mia, ANNA)])
    const [atAnna = 0, atMia = 0] = await longestGaps()
    console.log(`UDP blocked mid-call: no video of Mia for ${atAnna} ms, none of Anna for ${atMia} ms`)
    expect(await receivedVideo(mia, ANNA)).toMatchObject({ track, protocol: 'tcp' })
    await Promise.all([anna.waitForSound(), mia.waitForSound()])
    path.restore()
    await Promise.all([waitForVideo(anna, MIA), waitForVideo(mia, ANNA)])
  })

  it('continues when the source port changes', async () => {
    const { anna, mia, path, longestGaps } = await begin()
    const { track } = (await receivedVideo(mia, ANNA)) ?? {}
    path.rebind()
    await sleep(FORGETS_MS)
    await Promise.all([waitForVideo(anna, MIA), waitForVideo(mia, ANNA)])
    const [atAnna = 0, atMia = 0] = await longestGaps()
    console.log(`Another port: no video of Mia for ${atAnna} ms, none of Anna for ${atMia} ms`)
    expect(await receivedVideo(mia, ANNA)).toMatchObject({ track, protocol: 'udp' })
  })
})
