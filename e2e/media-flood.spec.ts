import { execFileSync } from 'node:child_process'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { findFreePort } from './support/free-port.ts'
import { openIdleConnections } from './support/idle-connections.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { arriving, joinMeasured } from './support/media.ts'
import { below } from './support/processes.ts'
import { makeHostedRoom } from './support/rooms.ts'

/** Far fewer than there are attackers. */
const DESCRIPTORS = 128
const ATTACKERS = 2_000

const mediaPort = await findFreePort()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  ...PLAIN_LINK_OPEN,
  SVC_MEDIA_WORKERS: '1',
  SVC_MEDIA_PORT: String(mediaPort),
}))
const open = useBrowser(FAKE_DEVICES)
let partner: PartnerClient
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

describe('thousands of TCP connections that say nothing', () => {
  it('keep nobody out who comes by UDP, and by TCP nobody for longer than they stay', async () => {
    const [worker] = below(lectern.pid, 'mediasoup-worker')
    execFileSync('prlimit', ['--pid', String(worker), `--nofile=${DESCRIPTORS}:`])
    const attack = await openIdleConnections(mediaPort, ATTACKERS)
    const { links } = await makeHostedRoom(partner, 'flooded', open)
    const anna = await joinMeasured(open, links.teacher)
    const mia = await joinMeasured(open, links.student)
    await Promise.all([anna.sees('Mia Andersson'), mia.sees('Anna Petrova')])
    expect(await arriving(anna, 'Mia Andersson')).toMatchObject({ protocol: 'udp' })
    await attack.leave()
    const sam = await joinMeasured(open, links.plain, { name: 'Sam', tcpOnly: true })
    await Promise.all([sam.sees('Anna Petrova'), anna.sees('Sam')])
    expect(await arriving(sam, 'Anna Petrova')).toMatchObject({ protocol: 'tcp' })
  }, 240_000)
})
