import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { PartnerClient } from '@lectern/partner'
import { freePort } from '@lectern/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { Container } from '../../support/container.ts'
import { repositoryPath } from '../../support/folders.ts'
import { ensureBuilt } from '../../support/lectern.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { waitFor } from '../../support/wait.ts'

const COMPOSE = readFileSync(repositoryPath('deploy/docker/compose.yaml'), 'utf8')
/** How long engines wait before they kill. */
const GRACE_MS = 1000 * Number(/stop_grace_period: (\d+)s/.exec(COMPOSE)?.[1])

const container = new Container()
const open = useBrowser(FAKE_DEVICES, { keepsPagesOpen: true })
let settings: Record<string, string>
let partner: PartnerClient

beforeAll(async () => {
  ensureBuilt()
  await container.build()
  // Those of compose.yaml.
  settings = {
    SVC_SERVER_JWT_SECRET: 'an-example-secret-of-enough-characters',
    SVC_INTEGRATION_ENABLED: '1',
    SVC_INTEGRATION_PUBLIC_URL: container.url,
    SVC_CONVERTER_EMBEDDED: '0',
    SVC_MEDIA_ANNOUNCED_ADDRESS: '127.0.0.1',
    SVC_MEDIA_WORKERS: '1',
    SVC_MEDIA_PORT: String(await freePort()),
  }
})
afterAll(() => container.end())

const lectern = async (...args: string[]) => {
  const { code, output } = await container.exec('lectern', ...args)
  if (code !== 0) throw new Error(`lectern ${args.join(' ')}: exit ${code}\n${output}`)
  return output
}

/** Each test continues where the one before it has ended. */
describe('the container image', { timeout: 400_000 }, () => {
  it('runs as a user without rights on a read-only system', async () => {
    await container.start(settings)
    const status = await container.exec('cat', '/proc/1/status')
    expect(status.output).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m)
    expect(status.output).toMatch(/^CapEff:\t0+$/m)
    expect(status.output).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status.output).toMatch(/^Seccomp:\t2$/m)
    const written = await container.exec('touch', '/usr/lib/lectern/file')
    expect(written).toMatchObject({ code: 1, output: expect.stringContaining('Read-only file system') })
    expect((await container.exec('sh', '-c', 'ls /etc/lectern/lectern.ini')).code).not.toBe(0)
    const [, ...health] = container.config.Healthcheck.Test
    const checked = await container.exec('env', `SVC_SERVER_PORT=${container.port}`, ...health)
    expect(checked).toEqual({ code: 0, output: '' })
  })

  it('has everything that the doctor checks', async () => {
    const faults = async () => {
      const { output } = await container.exec('lectern', 'doctor')
      return /passed/.test(output) && output.split('\n').filter(line => line.startsWith('fail'))
    }
    // Its checks have time limits, which a busy machine exceeds.
    await waitFor(async () => ((await faults()) || []).length === 1, 'one fault is left')
    expect(await faults()).toEqual([
      expect.stringContaining('127.0.0.1, which is reachable only from this machine'),
    ])
  })

  it('holds a lesson between two browsers, and records it', async () => {
    const access = ['--capability', 'recordings.access']
    await lectern('user', 'add', 'school-backend', '--kind', 'technical', ...access)
    const account = ['service-account', 'add', 'school', '--user', 'school-backend']
    const scopes = ['--scope', 'integration:rooms', '--scope', 'blob']
    const { client_secret } = JSON.parse(await lectern(...account, ...scopes, '--json'))
    const options = { baseUrl: container.url, serviceAccount: 'school', clientSecret: client_secret }
    partner = new PartnerClient(options)
    const room = await createHostedRoom(partner, 'lesson', open)
    const teacher = await room.teacher()
    const student = await room.student()
    await Promise.all([
      teacher.waitForVideo('Mia Andersson'),
      student.waitForVideo('Anna Petrova'),
      teacher.waitForSound(),
    ])
    await student.page.close()
    await teacher.page.close()
    await waitFor(async () => {
      const [recording] = await partner.listRecordings()
      return recording?.files.some(({ path }) => path === 'recording.mkv')
    }, 'the recording is ready')
  })

  it('stops within its grace time during a lesson, and keeps its data in the volume', async () => {
    const teacher = await (await createHostedRoom(partner, 'next', open)).teacher()
    const ended = await Promise.race([container.stop(), sleep(GRACE_MS, 'killed')])
    expect(ended).toEqual({ code: 0, signal: null })
    await container.start(settings)
    expect(await partner.getRoom('lesson')).toMatchObject({ external_id: 'lesson' })
    expect(await partner.listRecordings()).not.toEqual([])
    await teacher.page.close()
  })
})
