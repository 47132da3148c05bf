import { readFileSync } from 'node:fs'
import type { PartnerClient } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { type Account, becomeGuest, signInByLink, useMembers } from '../../support/members.ts'
import { loginFrame, OFFER, type RawControlSocket, useRawControl } from '../../support/raw-control.ts'
import { waitFor } from '../../support/wait.ts'

/** SEND_BUFFER_MAX_BYTES of the server. */
const SEND_BUFFER_BYTES = 4_194_304
const AT_ONCE = 40
/** Three bytes each: a message has 12 kB, and the flood exceeds all buffers between two processes. */
const LONG_TEXT = '漢'.repeat(3_990)
/** The most that Linux keeps of a connection between two programs of this machine. */
const kernelBuffers = () =>
  ['tcp_wmem', 'tcp_rmem']
    .map(name => Number(readFileSync(`/proc/sys/net/ipv4/${name}`, 'utf8').trim().split(/\s+/)[2]))
    .reduce((sum, bytes) => sum + bytes)
const CROWD = 100

const lectern = useLectern(() => ({ ...PLAIN_LINK_OPEN, SVC_LIMITS_ENABLED: '0' }))
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

describe('a hundred people who join at once', () => {
  it('are recorded by one job (rule RECORD-1)', async () => {
    const { tag } = await partner.createRoom('crowd')
    const accounts = await Promise.all(Array.from({ length: CROWD }, () => becomeGuest(lectern.url)))
    const people = accounts.map(account => enter({ url: lectern.url, tag, account }))
    await Promise.all(people.map(each => each.waitForJoin()))
    expect(new Set(people.map(({ session }) => session)).size).toBe(1)
    // No recorder is running, so the jobs stay queued.
    await waitFor(async () => (await jobsOf(lectern.url)) === 1, 'one job is there')
  })
})

describe('a client that does not read', () => {
  it('is disconnected when its room is flooded, while others receive everything', async () => {
    const { tag, teacher_join_url, student_join_url } = await partner.createRoom('flood', PEOPLE)
    const way = { url: lectern.url, tag }
    const account = await signInByLink(teacher_join_url)
    const [writer, reader] = await Promise.all([
      enter({ ...way, account, link: teacher_join_url }).waitForJoin(),
      enter({ ...way, account: await becomeGuest(lectern.url) }).waitForJoin(),
    ])
    const receivedIds = new Set<unknown>()
    let isSlowPresent = true
    reader.client.onEvent(({ name, event_id, body }) => {
      if (name === 'chat.message') receivedIds.add(event_id)
      else if (JSON.stringify(body).includes('"away"')) isSlowPresent = false
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

    // Its system keeps as much as it is set to; the server keeps no more than the buffer of one connection besides.
    const messages = Math.ceil((2 * (kernelBuffers() + SEND_BUFFER_BYTES)) / Buffer.byteLength(LONG_TEXT))
    let sent = 0
    while (isSlowPresent && sent < messages) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => writer.sendChat(`${sent++} ${LONG_TEXT}`)))
    }
    await waitFor(() => !isSlowPresent, 'the others know that it is away')
    await waitFor(() => receivedIds.size === sent, 'the other reader has received everything')
    expect(writer.view?.participants.map(({ presence }) => presence).sort()).toEqual(['away', 'here', 'here'])
    slow.socket.resume()
    expect([4429, 1006]).toContain((await slow.waitForClose())[0])
  })
})

describe('SIGTERM', () => {
  it('closes every connection with a reconnect code, and exits while a client does not respond', async () => {
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

    const ended = lectern.stop('SIGTERM')
    expect(await responsive.waitForClose()).toEqual([1001, 'temporarily_unavailable'])
    expect(await newcomer.waitForClose()).toEqual([1001, 'temporarily_unavailable'])
    expect(await ended).toEqual({ code: 0, signal: null })
    expect(member.state.is).not.toBe('ended')

    const { session } = member
    await lectern.start()
    expect((await member.waitForJoin(2)).session).toBe(session)
  })
})

/** The number of queued recording jobs. */
async function jobsOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^\w*recording_jobs_queued (\d+)/m.exec(metrics)?.[1])
}
