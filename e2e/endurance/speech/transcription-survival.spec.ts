import { readdirSync, readFileSync } from 'node:fs'
import type { PartnerClient, TranscriptionReady } from '@lectern/partner'
import { beforeAll, expect, it } from 'vitest'
import { addUser, signInAs } from '../../support/accounts.ts'
import { useBrowser } from '../../support/browser.ts'
import { useFolders } from '../../support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { becomeGuest, useMembers } from '../../support/members.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { devicesWithSpeech, GO_FORWARD, synthesizeSpeech } from '../../support/speech.ts'
import { transcriptionOf } from '../../support/transcription.ts'
import { Visitor } from '../../support/visitor.ts'
import { waitFor } from '../../support/wait.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_TRANSCRIBER_EMBEDDED: '1',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const makeFolder = useFolders()
const LONG = synthesizeSpeech(
  makeFolder(),
  'tomorrow morning we will talk about the history of the small village near the river and about the people ' +
    'who lived there a long time ago when there was no bridge and no road and no school for the children',
)
const open = useBrowser(devicesWithSpeech(makeFolder(), GO_FORWARD))
const openLong = useBrowser(devicesWithSpeech(makeFolder(), LONG))
const enter = useMembers()
const receiver = useWebhookReceiver()

let partner: PartnerClient
let transcription: Awaited<ReturnType<typeof transcriptionOf>>
beforeAll(async () => {
  partner = lectern.client(await lectern.addAccount('school', ['integration:rooms', 'blob']))
  await partner.setWebhook(receiver.webhook())
  const admin = await signInAs(lectern, await addUser(lectern, 'admin', { capabilities: ['admin'] }))
  transcription = await transcriptionOf(lectern, admin)
})

/** A silent participant without a browser. */
async function watcher(tag: string) {
  return enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url, 'Watcher') }).waitForJoin()
}

const delivered = (tag: string) =>
  receiver.of(tag).map(({ event }) => (event as TranscriptionReady).data.transcription)

it('X9 delivers nothing of a run whose worker was killed, and starts another run automatically (EVENT-8)', async () => {
  const { links } = await createHostedRoom(partner, 'killed', open)
  const { tag } = await partner.getRoom('killed')
  await Visitor.join(await open(links.teacher))
  const member = await watcher(tag)
  await transcription.start(member, tag)
  await waitFor(() => member.view?.phrases.length, 'something is transcribed')
  const runs = () => new Set(member.view?.phrases.map(({ phrase_id }) => phrase_id.split('.')[0]))
  const [lost] = runs()
  process.kill(await transcription.pid(), 'SIGKILL')

  // The next run begins in the middle of a sentence.
  const isWhole = (phrase: { phrase_id: string; text: string }) =>
    !phrase.phrase_id.startsWith(`${lost}.`) && phrase.text.includes(GO_FORWARD.text)
  await waitFor(() => member.view?.phrases.some(isWhole), 'another run transcribes')
  await transcription.request(tag, 'stop')
  await waitFor(() => delivered(tag).length > 0, 'the webhook')
  expect(delivered(tag)).toHaveLength(1)
  expect(runs()).toEqual(new Set([lost, delivered(tag)[0]?.job_id]))
  expect(delivered(tag)[0]?.text).toContain(GO_FORWARD.text)
})

it('keeps the phrase during which it is stopped', async () => {
  const { links } = await createHostedRoom(partner, 'cut', openLong)
  const { tag } = await partner.getRoom('cut')
  await Visitor.join(await openLong(links.teacher))
  const member = await watcher(tag)
  let partial = ''
  member.client.onSignal(({ name, body }) => {
    if (name === 'transcription.partial') partial = String(body.text)
  })
  await transcription.start(member, tag)
  await waitFor(() => /^tomorrow( \w+){4}/.test(partial), 'a phrase is under way')
  await transcription.request(tag, 'stop')
  await waitFor(() => delivered(tag).length > 0, 'the webhook')
  const last = delivered(tag)[0]?.segments.at(-1)
  expect(last).toMatchObject({ partial: true, speaker: { name: 'Anna Petrova' } })
  expect(last?.text).toContain('tomorrow morning we will')
  expect(LONG.text.startsWith(last?.text.slice(0, 30) ?? '-')).toBe(true)
})

it('ends with its session, with an empty text where nobody spoke; a restart produces another event', async () => {
  const { tag } = await partner.createRoom('silent')
  const member = await watcher(tag)
  await transcription.start(member, tag)
  await transcription.request(tag, 'stop')
  await waitFor(() => delivered(tag).length > 0, 'the first webhook')
  await transcription.start(member, tag)
  await partner.closeRoom('silent')
  await waitFor(() => delivered(tag).length > 1, 'the second webhook')
  const [first, second] = delivered(tag)
  const empty = { text: '', segments: [], status: 'completed' }
  expect([first, second]).toMatchObject([
    { ...empty, reason: 'stopped' },
    { ...empty, reason: 'session_ended', conference_session_id: first?.conference_session_id },
  ])
  expect(second?.job_id).not.toBe(first?.job_id)
})

it('has a lower priority than calls, with all of its threads', async () => {
  const pid = await transcription.pid()
  const threads = readdirSync(`/proc/${pid}/task`)
  // After the name in brackets: the niceness is the 19th field of all (proc(5)).
  const niceness = (id: string) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16])
  expect(threads.length).toBeGreaterThan(1)
  expect(new Set(threads.map(niceness))).toEqual(new Set([5]))
})
