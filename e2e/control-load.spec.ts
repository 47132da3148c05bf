import { readFileSync } from 'node:fs'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, signInAs } from './support/accounts.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { tokenOf } from './support/links.ts'
import { type Account, becomeGuest, signInByLink, useMembers } from './support/members.ts'
import { loginFrame, OFFER, type RawControlSocket, useRawControl } from './support/raw-control.ts'
import { waitFor } from './support/wait.ts'

/** The burst of frames: a sixth of the limit per minute. */
const BURST = 20
const CONNECTIONS = 3
const OF_ONE_ACCOUNT = 2
const FLOOD = 1_600
const AT_ONCE = 40
/** Three bytes each: a message has 12 kB, and the flood exceeds all buffers between two processes. */
const LONG_TEXT = '漢'.repeat(3_990)
const GROWS_AT_MOST_MB = 150
const CROWD = 100
const ENDS_WITHIN_MS = 20_000

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_SERVER_LOG_LEVEL: 'trace',
}))
const strict = useLectern(() => ({
  SVC_LIMITS_FRAMES_PER_MINUTE: String(BURST * 6),
  SVC_LIMITS_CONTROL_CONNECTIONS: String(CONNECTIONS),
  SVC_LIMITS_CONTROL_CONNECTIONS_PER_ACCOUNT: String(OF_ONE_ACCOUNT),
}))
const enter = useMembers()
const open = useRawControl()
let partner: PartnerClient
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount())
})

const PEOPLE = { teacher: { external_id: 'teacher-7' }, student: { display_name: 'Mia' } }

async function logIn(url: string, account: Account, link?: string): Promise<RawControlSocket> {
  const raw = await open(url)
  raw.send(loginFrame(account, { offer: OFFER, ...(link && { link }) }))
  await raw.waitForFrame('login_result')
  return raw
}

const sync = (rest: object) => ({
  control_sync: { request_id: 'r1', control_instance_id: 'i1', cursors: [], ...rest },
})

interface SyncResult {
  control_sync_result: { binding: object; resume_token: string }
}

describe('a server with limits', () => {
  it('closes connections that send too many frames', async () => {
    const raw = await open(strict.url)
    raw.send(loginFrame(await becomeGuest(strict.url)))
    await raw.waitForFrame('login_result')
    for (let frame = 2; frame <= BURST + 10; frame++)
      raw.send({ id: String(frame), command: 'chat.history', params: {} })
    expect(await raw.waitForClose()).toEqual([4429, 'rate_limited'])
    expect(raw.frames.length).toBeGreaterThanOrEqual(BURST)
    expect(raw.frames.length).toBeLessThan(BURST + 10)
  })

  it('admits connections up to its limit, another one when one leaves, and its recorder always', async () => {
    const guests = await Promise.all(Array.from({ length: CONNECTIONS + 1 }, () => becomeGuest(strict.url)))
    const one = guests.pop() as Account
    const entered = await Promise.all(guests.map(guest => logIn(strict.url, guest)))
    const late = await logIn(strict.url, one)
    expect(late.frames).toMatchObject([{ login_result: { ok: false, error: { code: 'server_full' } } }])
    expect(await late.waitForClose()).toEqual([1013, 'server_full'])

    const worker = await addUser(strict, 'far-recorder', { kind: 'worker', capabilities: ['jobs.recorder'] })
    const recorder = await logIn(strict.url, await signInAs(strict, worker))
    expect(recorder.frames).toMatchObject([{ login_result: { ok: true } }])

    entered[0]?.socket.terminate()
    await waitFor(async () => {
      const { frames } = await logIn(strict.url, one)
      return (frames[0] as { login_result: { ok: boolean } }).login_result.ok
    }, 'there is room again')
  })

  it('enforces the connection limit per account', async () => {
    const guest = await becomeGuest(strict.url)
    for (let i = 0; i < OF_ONE_ACCOUNT; i++) await logIn(strict.url, guest)
    const late = await logIn(strict.url, guest)
    expect(late.frames).toMatchObject([
      { login_result: { ok: false, error: { code: 'too_many_connections' } } },
    ])
    expect(await late.waitForClose()).toEqual([1013, 'too_many_connections'])
  })
})

describe('a client that does not read', () => {
  it('is disconnected when its room is flooded, without growth in memory or effects on other clients', async () => {
    const { tag, teacher_join_url, student_join_url } = await partner.createRoom('flood', PEOPLE)
    const way = { url: lectern.url, tag }
    const account = await signInByLink(teacher_join_url)
    const [writer, reader] = await Promise.all([
      enter({ ...way, account, link: teacher_join_url }).waitForJoin(),
      enter({ ...way, account: await becomeGuest(lectern.url) }).waitForJoin(),
    ])
    const receivedIds = new Set<unknown>()
    reader.client.onEvent(({ name, event_id }) => {
      if (name === 'chat.message') receivedIds.add(event_id)
    })
    const slow = await logIn(lectern.url, await becomeGuest(lectern.url), student_join_url)
    slow.send(sync({ mode: 'fresh' }))
    const { binding } = ((await slow.waitForFrame('control_sync_result')) as unknown as SyncResult)
      .control_sync_result
    const target = { kind: 'conference', id: tag }
    const join = { command_id: 'j', name: 'conference.join', target, body: {}, ttl_ms: 10_000, binding }
    slow.send({ control_command: join })
    await slow.waitForFrame('control_result')
    slow.socket.pause()

    const before = megabytesOf(lectern.pid)
    let most = before
    for (let step = 0; step < FLOOD; step += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) => writer.sendChat(`${step + i} ${LONG_TEXT}`)),
      )
      most = Math.max(most, megabytesOf(lectern.pid))
    }
    await waitFor(() => receivedIds.size === FLOOD, 'the other reader has received everything')
    await writer.waitForView('that the slow one is away', ({ participants }) =>
      participants.some(({ presence }) => presence === 'away'),
    )
    console.log(`${FLOOD} messages: ${before} MB before, ${most} MB at most`)
    expect(most - before).toBeLessThan(GROWS_AT_MOST_MB)
    slow.socket.resume()
    expect([4429, 1006]).toContain((await slow.waitForClose())[0])
  })
})

describe('the log of the server', () => {
  it('contains no secret of the control channel at level trace', async () => {
    const { tag, teacher_join_url, student_join_url } = await partner.createRoom('secrets', PEOPLE)
    const teacher = await signInByLink(teacher_join_url)
    const guest = await becomeGuest(lectern.url)
    await enter({ url: lectern.url, tag, account: teacher, link: teacher_join_url }).waitForJoin()

    const first = await logIn(lectern.url, guest, student_join_url)
    first.send(sync({ mode: 'fresh' }))
    const result = await first.waitForFrame('control_sync_result')
    const { binding, resume_token } = (result as unknown as SyncResult).control_sync_result
    first.socket.terminate()
    const second = await logIn(lectern.url, guest, student_join_url)
    second.send(sync({ mode: 'resume', resume: { binding, resume_token } }))
    const resumed = (await second.waitForFrame('control_sync_result')) as unknown as SyncResult
    const next = resumed.control_sync_result.resume_token
    second.send(`{"control_sync": "${next}"}`)
    await second.waitForClose()

    const forged = { ...guest, access_token: `${guest.access_token}x` }
    await logIn(lectern.url, forged, student_join_url)
    await logIn(lectern.url, guest, teacher_join_url)

    expect(lectern.log).toContain('/auth/guest') // the log was captured
    const accounts = [teacher, guest].flatMap(({ access_token, refresh_token }) => [
      access_token,
      refresh_token,
    ])
    for (const secret of [
      ...accounts,
      tokenOf(teacher_join_url),
      tokenOf(student_join_url),
      resume_token,
      next,
    ])
      expect(lectern.log).not.toContain(secret)
  })
})

describe('a hundred people who join at once', () => {
  const quiet = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))

  it('are recorded by one job (rule RECORD-1)', async () => {
    const { tag } = await quiet.client(await quiet.addAccount()).createRoom('crowd')
    const accounts = await Promise.all(Array.from({ length: CROWD }, () => becomeGuest(quiet.url)))
    const people = accounts.map(account => enter({ url: quiet.url, tag, account }))
    await Promise.all(people.map(each => each.waitForJoin()))
    expect(new Set(people.map(({ session }) => session)).size).toBe(1)
    // No recorder is running, so the jobs stay queued.
    await waitFor(async () => (await jobsOf(quiet.url)) === 1, 'one job is there')
  })
})

describe('SIGTERM', () => {
  it('closes every connection with a reconnect code, and exits soon even with unresponsive clients', async () => {
    const { tag, student_join_url } = await partner.createRoom('stop', PEOPLE)
    const link = student_join_url
    const member = await enter({
      url: lectern.url,
      tag,
      account: await becomeGuest(lectern.url),
      link,
    }).waitForJoin()
    const responsive = await logIn(lectern.url, await becomeGuest(lectern.url))
    const newcomer = await open(lectern.url)
    const unresponsive = await logIn(lectern.url, await becomeGuest(lectern.url))
    unresponsive.socket.pause()

    const requestedAt = performance.now()
    const ended = lectern.stop('SIGTERM')
    expect(await responsive.waitForClose()).toEqual([1001, 'temporarily_unavailable'])
    expect(await newcomer.waitForClose()).toEqual([1001, 'temporarily_unavailable'])
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(performance.now() - requestedAt).toBeLessThan(ENDS_WITHIN_MS)
    expect(member.state.is).not.toBe('ended')

    const { session } = member
    await lectern.start()
    expect((await member.waitForJoin(2)).session).toBe(session)
  })
})

const megabytesOf = (pid: number): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** The number of queued recording jobs. */
async function jobsOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^\w*recording_jobs_queued (\d+)/m.exec(metrics)?.[1])
}
