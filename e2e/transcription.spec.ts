import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionView } from '@lectern/control-client'
import type { PartnerClient, TranscriptionReady } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, createConference, signInAs } from './support/accounts.ts'
import { FAKE_DEVICES, useBrowser } from './support/browser.ts'
import { useFolders } from './support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from './support/lectern.ts'
import { type Account, becomeGuest, type Member, signInByLink, useMembers } from './support/members.ts'
import { createHostedRoom } from './support/rooms.ts'
import { devicesWithSpeech, GO_FORWARD, synthesizeSpeech } from './support/speech.ts'
import { Visitor } from './support/visitor.ts'
import { waitFor } from './support/wait.ts'
import { useWebhookReceiver } from './support/webhook-receiver.ts'

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_TRANSCRIBER_EMBEDDED: '1',
  SVC_CONFERENCES_EMPTY_GRACE_SECONDS: '2',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const makeFolder = useFolders()
const folder = makeFolder()
const CLOSE_DOOR = synthesizeSpeech(folder, 'please close the door before you leave the room')
const LONG = synthesizeSpeech(
  makeFolder(),
  'tomorrow morning we will talk about the history of the small village near the river and about the people ' +
    'who lived there a long time ago when there was no bridge and no road and no school for the children',
)
const openForward = useBrowser(devicesWithSpeech(makeFolder(), GO_FORWARD))
const openDoor = useBrowser(devicesWithSpeech(folder, CLOSE_DOOR))
const openLong = useBrowser(devicesWithSpeech(makeFolder(), LONG))
const openQuiet = useBrowser(FAKE_DEVICES)
const enter = useMembers()
const receiver = useWebhookReceiver()

let partner: PartnerClient
let admin: Account
let owner: Account
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
  await partner.setWebhook(receiver.webhook())
  admin = await signInAs(lectern, await addUser(lectern, 'admin', { capabilities: ['admin'] }))
  owner = await signInAs(lectern, await addUser(lectern, 'anna'))
  await isThere()
})

function transcribe(tag: string, action: 'start' | 'stop'): Promise<Response> {
  return fetch(`${lectern.url}/api/v1.0/admin/conferences/${tag}/transcription`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.access_token}` },
    body: JSON.stringify({ action }),
  })
}

/** Waits until the embedded transcriber has requested jobs. */
async function isThere(): Promise<void> {
  const isReady = async () => {
    const answer = (await (await fetch(`${lectern.url}/api/v1.0/server_info`)).json()) as object
    return JSON.stringify(answer).includes(
      '"transcription_available":true,"transcription_languages":["en-US"]',
    )
  }
  await waitFor(isReady, 'the transcriber is ready')
}

/** A silent participant without a browser. */
async function watcher(tag: string): Promise<Member> {
  return enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url, 'Watcher') }).waitForJoin()
}

async function start(member: Member, tag: string): Promise<void> {
  const startedAt = Date.now()
  expect((await transcribe(tag, 'start')).status).toBe(200)
  await waitFor(() => member.view?.transcription, 'it is transcribed')
  console.log(
    `From the start of a transcription until all participants are notified: ${Date.now() - startedAt} ms`,
  )
}

const saidBy = (name: string, text: string) => (view: SessionView) =>
  view.phrases.some(each => each.display_name === name && each.text === text)

/** Waits for this many deliveries for a room. */
async function sent(tag: string, count = 1): Promise<TranscriptionReady['data']['transcription'][]> {
  await waitFor(() => receiver.of(tag).length >= count, `${count} webhooks of ${tag}`)
  return receiver.of(tag).map(({ event }) => (event as TranscriptionReady).data.transcription)
}

function transcriberPid(): number | undefined {
  const ps = execFileSync('ps', ['--ppid', String(lectern.pid), '-o', 'pid=,args='], { encoding: 'utf8' })
  const line = ps.split('\n').find(each => each.includes('transcriber'))
  return line === undefined ? undefined : Number.parseInt(line, 10)
}

describe('transcription', () => {
  it('shows the speech of one participant in the panel of another', async () => {
    const { link } = await createConference(lectern, owner, 'Monday round')
    const host = enter({ url: lectern.url, tag: tagOf(link), account: owner })
    await host.waitForJoin()
    const reader = await Visitor.join(await openQuiet(link), { name: 'Rita' })
    await Visitor.join(await openForward(link), { name: 'Victor' })
    const target = { kind: 'conference_session', id: host.session } as const
    await host.client.command('transcription.start', target, {})
    await reader.button('Transcript').click()
    const log = reader.page.getByRole('region', { name: 'Transcript text' })
    await log.getByText(GO_FORWARD.text, { exact: true }).first().waitFor()
    await host.waitForView('the speaker', saidBy('Victor', GO_FORWARD.text))
    await host.client.command('transcription.stop', target, {})
    await host.waitForView('the end', view => !view.transcription)
  })

  it('separates two simultaneous speakers, and delivers their words to the partner', async () => {
    const { links } = await createHostedRoom(partner, 'both', openForward)
    const { tag } = await partner.getRoom('both')
    const teacher = await Visitor.join(await openForward(links.teacher))
    const student = await Visitor.join(await openDoor(links.student))
    const member = await watcher(tag)
    await start(member, tag)
    const both = (view: SessionView) =>
      saidBy('Anna Petrova', GO_FORWARD.text)(view) && saidBy('Mia Andersson', CLOSE_DOOR.text)(view)
    await waitFor(() => member.view && both(member.view), 'both are transcribed')
    expect((await transcribe(tag, 'stop')).status).toBe(200)
    const [run] = await sent(tag)
    if (!run) throw new Error('There is no webhook.')

    expect(receiver.refused).toEqual([])
    expect(run).toMatchObject({
      conference_tag: tag,
      conference_session_id: Number(member.session),
      status: 'completed',
      language: 'en-US',
      reason: 'stopped',
    })
    expect(run.id).toBe(run.job_id)
    expect(run.ended_at_ms).toBeGreaterThan(run.started_at_ms)
    for (const { text } of [GO_FORWARD, CLOSE_DOOR]) expect(run.text).toContain(text)
    expect(run.text.split('\n')).toEqual(run.segments.map(({ text }) => text))
    const others = { 'Anna Petrova': CLOSE_DOOR.text, 'Mia Andersson': GO_FORWARD.text }
    for (const { text, speaker } of run.segments) {
      const words = others[speaker.name as keyof typeof others].split(' ')
      expect(text.split(' ').filter(word => words.includes(word))).toEqual([])
      const participant = member.view?.participants.find(each => each.display_name === speaker.name)
      expect(participant).toMatchObject({ user_id: String(speaker.client_id) })
      expect(participant?.participant_id.endsWith(`.${speaker.device_id}`)).toBe(true)
    }
    expect(run.segments.map(({ seq }) => seq)).toEqual(run.segments.map((_, i) => i + 1))
    await Promise.all([teacher.page.close(), student.page.close()])
  })

  it('keeps the phrase during which it is stopped; a restart produces another event of the same session', async () => {
    const { links } = await createHostedRoom(partner, 'cut', openLong)
    const { tag } = await partner.getRoom('cut')
    await Visitor.join(await openLong(links.teacher))
    const member = await watcher(tag)
    let partial = ''
    member.client.onSignal(signal => {
      if (signal.name === 'transcription.partial') partial = String(signal.body.text)
    })
    await start(member, tag)
    partial = ''
    await waitFor(() => /^tomorrow( \w+){4}/.test(partial), 'a phrase is under way')
    await transcribe(tag, 'stop')
    const [first] = await sent(tag)
    const last = first?.segments.at(-1)
    expect(last).toMatchObject({ partial: true, speaker: { name: 'Anna Petrova' } })
    expect(last?.text).toContain('tomorrow morning we will')
    expect(LONG.text.startsWith(last?.text.slice(0, 30) ?? '-')).toBe(true)

    await start(member, tag)
    await sleep(500)
    await transcribe(tag, 'stop')
    const [one, two] = await sent(tag, 2)
    expect(two?.conference_session_id).toBe(one?.conference_session_id)
    expect(two?.job_id).not.toBe(one?.job_id)
  })

  it('ends with its session, with an empty text where nobody spoke', async () => {
    await createHostedRoom(partner, 'silent', openQuiet)
    const { tag } = await partner.getRoom('silent')
    const member = await watcher(tag)
    await start(member, tag)
    await partner.closeRoom('silent')
    expect(await sent(tag)).toMatchObject([
      { text: '', segments: [], reason: 'session_ended', status: 'completed' },
    ])
  })

  it('X9 delivers nothing of a run whose worker was killed, and starts another run automatically', async () => {
    const { links } = await createHostedRoom(partner, 'killed', openForward)
    const { tag } = await partner.getRoom('killed')
    await Visitor.join(await openForward(links.teacher))
    const member = await watcher(tag)
    await start(member, tag)
    await waitFor(() => member.view?.phrases.length, 'something is transcribed')
    const runs = () => new Set(member.view?.phrases.map(({ phrase_id }) => phrase_id.split('.')[0]))
    const [lost] = runs()
    const pid = transcriberPid()
    if (pid === undefined) throw new Error('There is no transcriber.')
    process.kill(pid, 'SIGKILL')

    // The next run begins in the middle of a sentence.
    const isWhole = (phrase: { phrase_id: string; text: string }) =>
      !phrase.phrase_id.startsWith(`${lost}.`) && phrase.text.includes(GO_FORWARD.text)
    await waitFor(() => member.view?.phrases.some(isWhole), 'another run transcribes')
    await transcribe(tag, 'stop')
    const delivered = await sent(tag)
    expect(delivered).toHaveLength(1)
    expect(runs()).toEqual(new Set([lost, delivered[0]?.job_id]))
    expect(delivered[0]?.text).toContain(GO_FORWARD.text)
  })

  it('has a lower priority than calls, with all of its threads', async () => {
    const pid = await waitFor(transcriberPid, 'there is a transcriber')
    const threads = readdirSync(`/proc/${pid}/task`)
    // After the name in brackets: the niceness is the 19th field of all (proc(5)).
    const niceness = (id: string) =>
      Number(readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16])
    expect(threads.length).toBeGreaterThan(1)
    expect(new Set(threads.map(niceness))).toEqual(new Set([5]))
  })

  it('can be started by an administrator in a partner room', async () => {
    const { links } = await createHostedRoom(partner, 'rights', openQuiet)
    const { tag } = await partner.getRoom('rights')
    const account = await signInByLink(links.teacher)
    const member = await enter({ url: lectern.url, tag, account, link: links.teacher }).waitForJoin()
    const target = { kind: 'conference_session', id: member.session } as const
    await expect(member.client.command('transcription.start', target, {})).rejects.toMatchObject({
      reason: 'administrator_only',
    })
    expect((await transcribe('no-such-room', 'start')).status).toBe(404)
  })
})

const tagOf = (link: string) => link.split('/').at(-1) ?? ''
