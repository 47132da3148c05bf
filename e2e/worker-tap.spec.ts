import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartnerClient } from '@lectern/partner'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { FAKE_DEVICES, LARGE_FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { repositoryPath, useFolders } from './support/folders.ts'
import { useLectern } from './support/lectern.ts'
import { LESSON } from './support/links.ts'
import { signInByLink, useMembers } from './support/members.ts'
import { type Program, usePrograms } from './support/program.ts'
import { createHostedRoom } from './support/rooms.ts'
import { waitFor } from './support/wait.ts'

const lectern = useLectern(() => ({ SVC_LIMITS_ENABLED: '0', SVC_MEDIA_WORKERS: '1' }))
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

interface Told {
  is: string
  source: string
  ssrc: number
  packets: number
  wrong: number
  reports: number
  keyFrames: number
  /** Of the last whole picture. */
  width: number
  isPaused: boolean
  name: string
  attempt: number
  folder: string
  why: string
  job_id: string
  files: string[]
}

/** A worker on a machine of its own: it signs in, and RTP comes to it encrypted. */
class TapWorker {
  readonly program: Program

  constructor(folder: string, env: Record<string, string> = {}) {
    this.program = run(process.execPath, [repositoryPath('e2e/support/tap-worker.mjs')], {
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

  told(is: string, source?: string): Told[] {
    const lines = this.program.stdout.split('\n').slice(0, -1)
    const all = lines.map(line => JSON.parse(line) as Told)
    return all.filter(each => each.is === is && (!source || each.source === source))
  }

  /** Waits for packets of the newest track, and gives what is counted of it. */
  async hears(source: string, isEnough: (counts: Told) => unknown): Promise<Told> {
    return waitFor(
      () => {
        const track = this.told('track', source).at(-1)
        const counts = this.told('counts', source).at(-1)
        return track && counts?.ssrc === track.ssrc && isEnough(counts) ? counts : null
      },
      `enough of the ${source} comes:\n${this.program.stdout.slice(-2000)}\n${this.program.stderr}`,
    )
  }

  hearsBoth = (isEnough = ({ packets }: Told) => packets > 20) =>
    Promise.all(['microphone', 'camera'].map(source => this.hears(source, isEnough)))
}

describe('a worker that holds a job', () => {
  it('J14 to J20 receives all published media, whatever is killed meanwhile', async () => {
    const folder = makeFolder()
    const first = new TapWorker(folder)
    const room = await createHostedRoom(partner, 'tapped', open)
    const anna = await room.teacher()
    const heard = await first.hearsBoth(({ packets, reports }) => packets > 20 && reports > 0)
    for (const { wrong } of heard) expect(wrong).toBe(0)
    await first.hears('camera', ({ keyFrames }) => keyFrames >= 3) // which it has asked for
    expect(await anna.tiles('').count()).toBe(1)

    await anna.page.keyboard.press('m')
    await waitFor(() => first.told('paused', 'microphone').at(-1)?.isPaused === true, 'the pause is told')
    await sleep(500)
    const silent = first.told('counts', 'microphone').at(-1)?.packets
    await sleep(700)
    expect(first.told('counts', 'microphone').at(-1)?.packets).toBe(silent)
    await anna.page.keyboard.press('m')
    await first.hears('microphone', ({ packets }) => packets > Number(silent) + 20)
    expect(first.told('paused', 'microphone').map(({ isPaused }) => isPaused)).toEqual([true, false])

    killMediaWorker()
    await waitFor(() => first.told('track').length >= 4, 'there are two more tracks')
    await first.hearsBoth()
    await waitFor(() => first.told('ended').length === first.told('track').length - 2, 'only two are left')

    await lectern.stop('SIGKILL')
    await lectern.start()
    await waitFor(() => first.told('ended').length >= 4, 'the former tracks end')
    await first.hearsBoth()
    await waitFor(() => first.told('ended').length === first.told('track').length - 2, 'only two are left')
    expect(first.told('job')).toMatchObject([{ attempt: 1 }])

    await first.program.kill('SIGKILL')
    const second = new TapWorker(folder)
    await second.hearsBoth()
    const [job] = second.told('job')
    expect(job).toMatchObject({ attempt: 2, details: { attempt: 1 } })
    expect(second.told('session')[0]?.name).toBe('session.snapshot')

    await partner.closeRoom('tapped')
    await waitFor(() => second.told('stopping').length > 0, 'the worker is asked to stop')
    expect(second.told('session').at(-1)?.name).toBe('session.ended')
    expect(second.told('ended')).toHaveLength(second.told('track').length)
    await waitFor(() => !existsSync(String(job?.folder)), 'the folder of the finished job is gone')
    expect(existsSync(join(folder, 'worker-id'))).toBe(true)
    expect(second.told('stopping')).toMatchObject([{ why: 'asked' }])
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
    await worker.hears('camera', ({ width }) => width >= 640)
    process.kill(worker.program.pid, 'SIGUSR2')
    await worker.hears('camera', ({ width }) => width === 320)
    process.kill(worker.program.pid, 'SIGUSR2')
    await worker.hears('camera', ({ width }) => width >= 640)
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
      const told = worker.told('job')
      return told.length >= count ? told : null
    }, `${count} jobs begin`)

  it('retries failed work in the same folder', async () => {
    const worker = new TapWorker(makeFolder(), { TAP_WORKER_FAILURES: '2' })
    await begin('wrong')
    const [first, second, third] = await jobs(worker, 3)
    expect([first, second, third].map(told => told?.attempt)).toEqual([1, 2, 3])
    expect(third?.files).toEqual(['attempt-1', 'attempt-2'])
    expect(new Set([first, second, third].map(told => told?.job_id)).size).toBe(1)
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
    expect(worker.told('job')).toHaveLength(2)
    await partner.closeRoom('one')
    await jobs(worker, 3)
    await worker.program.kill('SIGTERM')
  })

  it('reports why it does not start', async () => {
    const worker = new TapWorker(makeFolder(), { SVC_WORKER_MEDIA_IP: 'nowhere' })
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
