import { freePort, TestAuthority } from '@lectern/server/testing'
import { chromium } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, trusting, useBrowser, useLaunched } from '../../support/browser.ts'
import { useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { joinInstrumented, protocolsOf } from '../../support/media.ts'
import { useOtherHost } from '../../support/other-host.ts'

/** Of its address, the other host reaches the https port only: everything else listens on the loopback address of this one. */
const other = useOtherHost()
const folder = useFolders()()
const authority = new TestAuthority(folder)
const { cert, key } = authority.issue('server', `IP:${other.ownAddress}`)
const trust = trusting(cert)
const turnPort = await freePort()

const lectern = useLectern(() => ({
  SVC_LIMITS_ENABLED: '0',
  SVC_SERVER_HOST: other.ownAddress,
  SVC_SERVER_PORT: '443',
  SVC_SERVER_TLS_CERT: cert,
  SVC_SERVER_TLS_KEY: key,
  SVC_INTEGRATION_PUBLIC_URL: `https://${other.ownAddress}`,
  SVC_TURN_EMBEDDED: '1',
  SVC_TURN_PORT: String(turnPort),
  NODE_EXTRA_CA_CERTS: authority.cert,
}))
const open = useBrowser([...FAKE_DEVICES, trust])
const openElsewhere = useLaunched(() =>
  chromium.launch({
    executablePath: other.launcher(folder, '/usr/bin/chromium-headless-shell'),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...FAKE_DEVICES, trust],
  }),
)
let room: Record<string, string>
beforeAll(async () => {
  await lectern.addAccount()
  room = await lectern.command(
    'room',
    'create',
    'lesson',
    '--teacher',
    'Anna Petrova',
    '--student',
    'Mia Andersson',
  )
})

describe('a participant whose network permits https only', () => {
  it('sends and receives by TURN on the port of the pages', async () => {
    const anna = await joinInstrumented(open, room.teacher_join_url ?? '')
    const mia = await joinInstrumented(openElsewhere, room.student_join_url ?? '')
    await Promise.all([anna.waitForVideo('Mia Andersson'), mia.waitForVideo('Anna Petrova')])
    expect(await protocolsOf(mia)).toEqual(['tls to a relay', 'tls to a relay'])
    await Promise.all([anna.waitForSound(), mia.waitForSound()])
  })
})
