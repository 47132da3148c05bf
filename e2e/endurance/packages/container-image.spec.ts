import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pdf, textAt } from '@lectern/converter/testing'
import { PartnerClient } from '@lectern/partner'
import { freePort } from '@lectern/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { Container } from '../../support/container.ts'
import { markOwner, removeLeftovers } from '../../support/container-leftovers.ts'
import { repositoryPath } from '../../support/folders.ts'
import { ensureBuilt } from '../../support/lectern.ts'
import { signInByLink, useMembers } from '../../support/members.ts'
import type { Program } from '../../support/program.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { waitFor } from '../../support/wait.ts'

const COMPOSE = readFileSync(repositoryPath('deploy/docker/compose.yaml'), 'utf8')
/** How long engines wait before they kill. */
const GRACE_MS = 1000 * Number(/stop_grace_period: (\d+)s/.exec(COMPOSE)?.[1])

const FILTER = JSON.parse(readFileSync(repositoryPath('deploy/docker/converter-seccomp.json'), 'utf8'))

const container = new Container()
const enter = useMembers()
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

/**
 * In place of pdftotext: what a document does that has taken it over. It reports as the text of the page, which is what it has
 * reached: the server, data of the service, its secrets, other processes, the system.
 */
const takenOver = (port: number) => `#!/bin/bash
reached=
try() { if "\${@:2}" 2> /dev/null; then reached="$reached $1"; fi; }
connect() { exec 3<> "/dev/tcp/127.0.0.1/${port}"; }
secrets() { cat /proc/*/environ | grep -aq SVC_WORKER_PASSWORD; }
try network connect
try documents ls /tmp/converter
try secrets secrets
try processes ls /proc/1
try system touch /usr/lib/x /etc/x
echo "<page width=\\"1\\" height=\\"1\\"><line xMin=\\"0\\" yMin=\\"0\\" xMax=\\"1\\" yMax=\\"1\\"><word >reached:$reached</word></line></page>"
`

describe('what a killed test has left', () => {
  it('is removed by the next one: folders with mounts, but not those of tests that run', () => {
    const parent = mkdtempSync(join(tmpdir(), 'lectern-parent-'))
    const [left, running] = ['left', 'running'].map(name => join(parent, `lectern-image-${name}`)) as [
      string,
      string,
    ]
    mkdirSync(join(left, 'storage/a/b'), { recursive: true })
    mkdirSync(running)
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(left, 'storage/a')])
    mkdirSync(join(left, 'storage/a/b'))
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(left, 'storage/a/b')])
    writeFileSync(join(left, 'owner'), `${process.pid} 1`) // another process had that number
    markOwner(running)
    removeLeftovers('lectern-image-', 'crun', parent)
    expect([existsSync(left), existsSync(running)]).toEqual([false, true])
    execFileSync('rm', ['-r', parent])
  })
})

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

  it('converts slides in a container of its own, as compose.yaml starts it, in which a document reaches nothing', async () => {
    const program = join(mkdtempSync(join(tmpdir(), 'lectern-hostile-')), 'pdftotext')
    writeFileSync(program, takenOver(container.port), { mode: 0o755 })
    const files = { '/usr/bin/pdftotext': program }
    const account = ['user', 'add', 'converter', '--kind', 'worker', '--capability', 'jobs.converter']
    const { password } = JSON.parse(await lectern(...account, '--json'))
    const env = {
      SVC_WORKER_URL: container.url,
      SVC_WORKER_FOLDER: '/tmp/converter',
      SVC_WORKER_LOGIN: 'converter',
      SVC_WORKER_PASSWORD: password,
    }
    const [, entry = ''] = /converter:[\s\S]*?entrypoint:\n([\s\S]*?) {4}command:/.exec(COMPOSE) ?? []
    const command = [...entry.matchAll(/- (\S+)$/gm)].map(([, part = '']) => part)
    // The container alone does not keep it from the server and the documents.
    const outside = container.startBeside({ command: ['/usr/bin/pdftotext'], env, filter: FILTER, files })
    await outside.ended
    expect(outside.stdout).toMatch(/reached: network .*processes/)

    // With the filter that containers have, there is no sandbox, and no converter without it.
    const refused = container.startBeside({ command, env, filter: container.usualFilter })
    expect((await refused.ended).code).toBe(0)
    expect(refused.stderr).toContain('The sandbox cannot run')

    const converter: Program = container.startBeside({ command, env, filter: FILTER, files })
    try {
      const teacherOf = { external_id: 'teacher', display_name: 'Anna' }
      const room = await partner.createRoom('slides', { title: 'Fractions', teacher: teacherOf })
      const document = new Uint8Array(pdf([{ content: textAt('Fractions') }]))
      await waitFor(
        () => partner.putSlides('slides', document, { name: 'Fractions' }).catch(() => null),
        'the converter is connected',
      )
      const slides = await waitFor(async () => {
        const { slides } = await partner.getSlides('slides')
        return slides?.state === 'ready' ? slides : null
      }, 'the slides are converted')
      expect(slides.pages).toMatchObject([{ page_number: 1, failure: null }])
      const link = room.teacher_join_url
      const teacher = await signInByLink(link)
      await enter({ url: container.url, tag: room.tag, account: teacher, link }).waitForJoin()
      const headers = { authorization: `Bearer ${teacher.access_token}` }
      const text = await fetch(`${container.url}/api/v1.0/files/${slides.file_id}/pages/1/text`, { headers })
      expect((await text.json()).lines).toMatchObject([{ text: 'reached:' }])
    } finally {
      await converter.kill('SIGTERM')
    }
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
