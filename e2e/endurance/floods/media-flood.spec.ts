import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import type { PartnerClient } from '@lectern/partner'
import { freePort } from '@lectern/server/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { openIdleConnection, openIdleConnections } from '../../support/idle-connections.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { joinInstrumented, receivedVideo, waitForVideo } from '../../support/media.ts'
import { descendantsOf } from '../../support/processes.ts'
import { createHostedRoom } from '../../support/rooms.ts'

/** Far less than the number of attacking connections, each of which is opened again after it was closed. */
const DESCRIPTORS = 128
const ATTACKERS = 400
/** Above this share of used descriptors the server logs a warning about the media worker. */
const SCARCE = 0.8

const mediaPort = await freePort()
const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  ...PLAIN_LINK_OPEN,
  SVC_MEDIA_PORT: String(mediaPort),
}))
const open = useBrowser(FAKE_DEVICES)
let partner: PartnerClient
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

describe('hundreds of TCP connections that never complete ICE', () => {
  it('block no participant over UDP or TCP, and leave the media worker enough descriptors', async () => {
    const [worker] = descendantsOf(lectern.pid, 'mediasoup-worker')
    execFileSync('prlimit', ['--pid', String(worker), `--nofile=${DESCRIPTORS}:`])
    const attack = await openIdleConnections(mediaPort, ATTACKERS, '127.0.0.2')
    const { links } = await createHostedRoom(partner, 'flooded', open)
    const anna = await joinInstrumented(open, links.teacher)
    const mia = await joinInstrumented(open, links.student)
    await Promise.all([anna.waitForVideo('Mia Andersson'), mia.waitForVideo('Anna Petrova')])
    expect(await receivedVideo(anna, 'Mia Andersson')).toMatchObject({ protocol: 'udp' })
    const sam = await joinInstrumented(open, links.plain, { name: 'Sam', tcpOnly: true })
    await Promise.all([sam.waitForVideo('Anna Petrova'), anna.waitForVideo('Sam')])
    const received = await receivedVideo(sam, 'Anna Petrova')
    expect(received).toMatchObject({ protocol: 'tcp' })

    // Opened after Sam's connections and closed because of its age, as it is the only one of its address.
    // Sam's older connections MUST stay open.
    await once(openIdleConnection(mediaPort, '127.0.0.3'), 'close')
    await waitForVideo(sam, 'Anna Petrova')
    expect(await receivedVideo(sam, 'Anna Petrova')).toMatchObject({
      protocol: 'tcp',
      track: received?.track,
    })

    expect(attack.closedByServer()).toBeGreaterThan(ATTACKERS - DESCRIPTORS)
    expect(await descriptorShare()).toBeLessThan(SCARCE)
    expect(lectern.log).not.toContain('is running out of file descriptors')
    await attack.leave()
  })
})

async function descriptorShare() {
  const metrics = await (await fetch(`${lectern.url}/metrics`)).text()
  return Number(/^\S*media_worker_descriptors_ratio (\S+)$/m.exec(metrics)?.[1])
}
