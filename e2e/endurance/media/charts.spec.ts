import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { addUser, createConference, fillSignIn, signInAs } from '../../support/accounts.ts'
import { useBrowser } from '../../support/browser.ts'
import { useLectern } from '../../support/lectern.ts'
import type { Account } from '../../support/members.ts'
import { useStudents } from '../../support/students.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser([], { keepsPagesOpen: true })
const addStudents = useStudents()
const SMALL = { width: 320, height: 300 } // receives little
/** On a slow machine the sample after the next one has the session. */
const SESSION_BEGINS_WITHIN_MS = 12_000

it('the charts of the administration have the traffic of a session, which everybody inside sees end (CHART-2)', async () => {
  const credentials = await addUser(lectern, 'boss', { capabilities: ['admin'] })
  const boss = await signInAs(lectern, credentials)
  await untilNextSample(boss)
  const { tag, link } = await createConference(lectern, boss, 'Monday round')
  const viewer = await Visitor.join(await open(link, { viewport: SMALL }), {
    name: 'Viewer',
    withoutDevices: true,
  })
  await addStudents({ url: lectern.url, tag, names: ['Anna Petrova', 'Ben'] })
  await chartsShowTraffic(boss)

  const { page } = await open(`${lectern.url}/admin/sessions`)
  await fillSignIn(page, credentials)
  await page.getByRole('link', { name: 'Monday round' }).click()
  await page.getByRole('button', { name: 'Actions: Monday round' }).click()
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByText('has ended.').waitFor()
  await viewer.page.getByRole('heading', { name: /ended/ }).waitFor()
})

async function get(path: string, { access_token }: Account) {
  const response = await fetch(`${lectern.url}/api/v1.0/admin${path}`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  return response.json()
}

/** The server samples five seconds after its start, and once a minute: until then, a session would only take processor time. */
async function untilNextSample(boss: Account) {
  const { started_at_ms } = await get('/health', boss)
  const sinceMs = (Date.now() - started_at_ms - 5_000) % 60_000
  await sleep(Math.max(0, 60_000 - sinceMs - SESSION_BEGINS_WITHIN_MS))
}

/** Two people send microphone and camera, and one receives them, on a machine of any speed. */
const chartsShowTraffic = (boss: Account) =>
  waitFor(async () => {
    const { samples } = await get('/samples', boss)
    const last = (name: string) => samples[name].at(-1)
    const [incoming, outgoing] = [last('incoming_bps'), last('outgoing_bps')]
    if (last('participants') !== 3 || incoming < 20_000 || outgoing < 20_000) return false
    expect([incoming, outgoing].every(bps => bps < 50e6)).toBe(true)
    expect(last('packet_loss_percent')).toBeLessThanOrEqual(100)
    expect(last('media_cpu_percent')).toBeGreaterThan(0)
    return true
  }, 'the charts have the traffic of the session')
