import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, LARGE_FAKE_DEVICES, useBrowser } from '../../support/browser.ts'
import { repositoryPath, useFolders } from '../../support/folders.ts'
import { useLectern } from '../../support/lectern.ts'
import { LESSON } from '../../support/links.ts'
import { signInByLink, useMembers } from '../../support/members.ts'
import { type Program, usePrograms } from '../../support/program.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { waitFor } from '../../support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0' }))
const open = useBrowser(FAKE_DEVICES)
const openLarge = useBrowser(LARGE_FAKE_DEVICES)
const run = usePrograms()
const makeFolder = useFolders()
const enter = useMembers()
const password = randomBytes(18).toString('base64url')
let partner: PartnerClient
const workers: TapWorker[] = []
afterEach(async () => {
  for (const { program } of workers.splice(0)) await program.kill('SIGKILL')
})
beforeAll(async () => {
  const worker = ['user', 'add', 'recorder-1', '--kind', 'worker', '--capability', 'jobs.recorder']
  await lectern.command(...worker, '--password', password)
  partner = lectern.client(await lectern.addAccount())
})

/** A line of the worker's output. */
interface WorkerEvent {
  is: string
  source: string
  ssrc: number
  packets: number
  wrong: number
  reports: number
  keyFrames: number
  /** Of the last key frame. */
  width: number
  isPaused: boolean
  name: string
  attempt: number
  folder: string
  why: string
  job_id: string
  files: string[]
}

/** A standalone worker, as on its own machine: it signs in and receives SRTP. */
class TapWorker {
  readonly program: Program

  constructor(folder: string, env: Record<string, string> = {}) {
    this.program = run(process.execPath, [repositoryPath('e2e/support/tap-worker.ts')], {
      env: {
        SVC_WORKER_URL: lectern.url,
        SVC_WORKER_FOLDER: folder,
        SVC_WORKER_LOGIN: 'recorder-1',
        SVC_WORKER_PASSWORD: password,
        SVC_WORKER_MEDIA_IP: '127.0.0.1',
        ...env,
      },
    })
    workers.push(this)
  }

  events(is: string, source?: string): WorkerEvent[] {
    const lines = this.program.stdout.split('\n').slice(0, -1)
    const all = lines.map(line => JSON.parse(line) as WorkerEvent)
    return all.filter(each => each.is === is && (!source || each.source === source))
  }

  /** Waits for packets of the newest track; returns its counters. */
  async receives(source: string, isEnough: (counts: WorkerEvent) => unknown): Promise<WorkerEvent> {
    return waitFor(
      () => {
        const track = this.events('track', source).at(-1)
        const counts = this.events('counts', source).at(-1)
        return track && counts?.ssrc === track.ssrc && isEnough(counts) ? counts : null
      },
      `enough packets of the ${source}:\n${this.program.stdout.slice(-2000)}\n${this.program.stderr}`,
    )
  }

  receivesBoth = (isEnough = ({ packets }: WorkerEvent) => packets > 20) =>
    Promise.all(['microphone', 'camera'].map(source => this.receives(source, isEnough)))
}

describe('a worker that holds a job', () => {
  it('J14 to J20 receives all published media, even if processes are killed meanwhile', async () => {
    const folder = makeFolder()
    const first = new TapWorker(folder)
    const room = await createHostedRoom(partner, 'tapped', open)
    const anna = await room.teacher()
    const received = await first.receivesBoth(({ packets, reports }) => packets > 20 && reports > 0)
    for (const { wrong } of received) expect(wrong).toBe(0)
    await first.receives('camera', ({ keyFrames }) => keyFrames >= 3) // requested by the worker
    expect(await anna.tiles('').count()).toBe(1)

    await anna.page.keyboard.press('m')
    await waitFor(
      () => first.events('paused', 'microphone').at(-1)?.isPaused === true,
      'the pause is reported',
    )
    await sleep(500)
    const silent = first.events('counts', 'microphone').at(-1)?.packets
    await sleep(700)
    expect(first.events('counts', 'microphone').at(-1)?.packets).toBe(silent)
    await anna.page.keyboard.press('m')
    await first.receives('microphone', ({ packets }) => packets > Number(silent) + 20)
    expect(first.events('paused', 'microphone').map(({ isPaused }) => isPaused)).toEqual([true, false])

    killMediaWorker()
    await waitFor(() => first.events('track').length >= 4, 'two more tracks start')
    await first.receivesBoth()
    await waitFor(
      () => first.events('ended').length === first.events('track').length - 2,
      'only two tracks remain',
    )

    await lectern.stop('SIGKILL')
    await lectern.start()
    await waitFor(() => first.events('ended').length >= 4, 'the previous tracks end')
    await first.receivesBoth()
    await waitFor(
      () => first.events('ended').length === first.events('track').length - 2,
      'only two tracks remain',
    )
    expect(first.events('job')).toMatchObject([{ attempt: 1 }])

    await first.program.kill('SIGKILL')
    const second = new TapWorker(folder)
    await second.receivesBoth()
    const [job] = second.events('job')
    expect(job).toMatchObject({ attempt: 2, details: { attempt: 1 } })
    expect(second.events('session')[0]?.name).toBe('session.snapshot')

    await partner.closeRoom('tapped')
    await waitFor(() => second.events('stopping').length > 0, 'the worker is requested to stop')
    expect(second.events('session').at(-1)?.name).toBe('session.ended')
    expect(second.events('ended')).toHaveLength(second.events('track').length)
    await waitFor(() => !existsSync(String(job?.folder)), 'the folder of the finished job is removed')
    expect(existsSync(join(folder, 'worker-id'))).toBe(true)
    expect(second.events('stopping')).toMatchObject([{ why: 'requested' }])
    const { code } = await second.program.kill('SIGTERM')
    expect(code).toBe(0)
    for (const { program } of [first, second]) expect(program.stderr).not.toContain(password)
  })
})

describe('a worker that displays received video', () => {
  it('J20 receives video in the requested size, and the best quality before a request', async () => {
    const worker = new TapWorker(makeFolder())
    const room = await createHostedRoom(partner, 'sizes', openLarge)
    const anna = await room.teacher()
    await worker.receives('camera', ({ width }) => width >= 640)
    process.kill(worker.program.pid, 'SIGUSR2')
    await worker.receives('camera', ({ width }) => width === 320)
    process.kill(worker.program.pid, 'SIGUSR2')
    await worker.receives('camera', ({ width }) => width >= 640)
    await anna.page.close()
    await worker.program.kill('SIGTERM')
    await partner.closeRoom('sizes')
  })
})

describe('a worker', () => {
  /** A recorded session without any media. */
  const begin = async (id: string) => {
    const room = await partner.createRoom(id, LESSON)
    const link = room.teacher_join_url
    await enter({ url: lectern.url, tag: room.tag, account: await signInByLink(link), link }).waitForJoin()
  }
  const jobs = (worker: TapWorker, count: number) =>
    waitFor(() => {
      const events = worker.events('job')
      return events.length >= count ? events : null
    }, `${count} jobs begin`)

  it('retries failed work in the same folder', async () => {
    const worker = new TapWorker(makeFolder(), { TAP_WORKER_FAILURES: '2' })
    await begin('wrong')
    const [first, second, third] = await jobs(worker, 3)
    expect([first, second, third].map(event => event?.attempt)).toEqual([1, 2, 3])
    expect(third?.files).toEqual(['attempt-1', 'attempt-2'])
    expect(new Set([first, second, third].map(event => event?.job_id)).size).toBe(1)
    await worker.program.kill('SIGTERM')
    await partner.closeRoom('wrong')
  })

  it('J8 hands its job to the next process of its folder, which waits for its exit', async () => {
    const folder = makeFolder()
    const first = new TapWorker(folder)
    await begin('drained')
    const [job] = await jobs(first, 1)
    const second = new TapWorker(folder)
    await sleep(2_000)
    expect(second.program.stderr).toBe('')
    expect(await first.program.kill('SIGTERM')).toMatchObject({ code: 0 })
    const [again] = await jobs(second, 1)
    expect(again).toMatchObject({ job_id: job?.job_id, attempt: 2, files: ['attempt-1'] })
    await second.program.kill('SIGTERM')
    await partner.closeRoom('drained')
  })

  it('takes jobs up to its capacity, and the next one when one is finished', async () => {
    const worker = new TapWorker(makeFolder())
    for (const id of ['one', 'two', 'three']) await begin(id)
    await jobs(worker, 2)
    await sleep(1_000)
    expect(worker.events('job')).toHaveLength(2)
    await partner.closeRoom('one')
    await jobs(worker, 3)
    await worker.program.kill('SIGTERM')
  })

  it('reports why it does not start', async () => {
    const worker = new TapWorker(makeFolder(), { SVC_WORKER_MEDIA_IP: 'invalid' })
    expect(await worker.program.ended).toMatchObject({ code: 1 })
    expect(worker.program.stderr).toContain('SVC_WORKER_MEDIA_IP is no IP address')
  })
})

function killMediaWorker(): void {
  const children = execFileSync('ps', ['--ppid', String(lectern.pid), '-o', 'pid=,args='], {
    encoding: 'utf8',
  })
  const pids = children.split('\n').filter(line => line.includes('mediasoup-worker'))
  expect(pids).toHaveLength(1)
  for (const pid of pids) process.kill(Number.parseInt(pid, 10), 'SIGKILL')
}
