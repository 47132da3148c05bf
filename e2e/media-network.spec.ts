import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { findFreePort } from './support/free-port.ts'
import { useLectern } from './support/lectern.ts'
import { arrives, arriving, joinMeasured, watchGaps, waysOf } from './support/media.ts'
import { makeHostedRoom } from './support/rooms.ts'
import { useUdpPaths } from './support/udp-path.ts'
import { waitFor } from './support/wait.ts'

const mediaPort = await findFreePort()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_MEDIA_WORKERS: '1',
  SVC_MEDIA_PORT: String(mediaPort),
}))
const open = useBrowser(FAKE_DEVICES)
const makePath = useUdpPaths()
let partner: PartnerClient
let rooms = 0
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

/** Longer than a browser needs to notice that a way is closed. */
const FORGETS_MS = 8_000

const ANNA = 'Anna Petrova'
const MIA = 'Mia Andersson'

/** Mia's datagrams take a way of their own; streams would go directly. */
async function begin() {
  const { links } = await makeHostedRoom(partner, `network-${++rooms}`, open)
  const path = await makePath(mediaPort)
  const anna = await joinMeasured(open, links.teacher)
  const mia = await joinMeasured(open, links.student, { ports: { udp: path.port } })
  await Promise.all([anna.sees(MIA), mia.sees(ANNA)])
  expect(await waysOf(mia)).toEqual(['udp', 'udp'])
  const gaps = [watchGaps(anna, MIA), watchGaps(mia, ANNA)]
  const longestGaps = () => Promise.all(gaps.map(end => end()))
  return { anna, mia, path, longestGaps }
}

/** Of a quiet machine; no more than three times that on a busy one. */
const expectSoon = (ms: number, withinMs: number) => expect(ms).toBeLessThan(3 * withinMs)

describe('a call', () => {
  it('goes on by TCP, at the same endpoint, when datagrams are let through no more', async () => {
    const { anna, mia, path, longestGaps } = await begin()
    const { track } = (await arriving(mia, ANNA)) ?? {}
    path.cut()
    await waitFor(async () => (await waysOf(mia)).join() === 'tcp,tcp', 'both directions go by TCP')
    await Promise.all([arrives(anna, MIA), arrives(mia, ANNA)])
    const [atAnna = 0, atMia = 0] = await longestGaps()
    console.log(`UDP cut in mid-call: no picture of Mia for ${atAnna} ms, none of Anna for ${atMia} ms`)
    expectSoon(Math.max(atAnna, atMia), 10_000)
    expect(await arriving(mia, ANNA)).toMatchObject({ track, protocol: 'tcp' })
    await Promise.all([anna.hears(), mia.hears()])
    path.heal()
    await Promise.all([arrives(anna, MIA), arrives(mia, ANNA)])
  })

  it('goes on when it comes from another port from one moment to the next', async () => {
    const { anna, mia, path, longestGaps } = await begin()
    const { track } = (await arriving(mia, ANNA)) ?? {}
    path.rebind()
    await sleep(FORGETS_MS)
    await Promise.all([arrives(anna, MIA), arrives(mia, ANNA)])
    const [atAnna = 0, atMia = 0] = await longestGaps()
    console.log(`Another port: no picture of Mia for ${atAnna} ms, none of Anna for ${atMia} ms`)
    expectSoon(Math.max(atAnna, atMia), 5_000)
    expect(await arriving(mia, ANNA)).toMatchObject({ track, protocol: 'udp' })
  })
})
