import type { SessionView } from '@lectern/control-client'
import type { PartnerClient, TranscriptionReady } from '@lectern/partner'
import { beforeAll, describe, expect, it } from 'vitest'
import { addUser, signInAs } from '../../support/accounts.ts'
import { useBrowser } from '../../support/browser.ts'
import { useFolders } from '../../support/folders.ts'
import { PLAIN_LINK_OPEN, useLectern } from '../../support/lectern.ts'
import { becomeGuest, useMembers } from '../../support/members.ts'
import { createHostedRoom } from '../../support/rooms.ts'
import { devicesWithSpeech, GO_FORWARD, synthesizeSpeech } from '../../support/speech.ts'
import { transcriptionOf } from '../../support/transcription.ts'
import { Visitor } from '../../support/visitor.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'

const lectern = useLectern(() => ({
  ...PLAIN_LINK_OPEN,
  SVC_LIMITS_ENABLED: '0',
  SVC_TRANSCRIBER_EMBEDDED: '1',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
}))
const makeFolder = useFolders()
const folder = makeFolder()
const CLOSE_DOOR = synthesizeSpeech(folder, 'please close the door before you leave the room')
const openForward = useBrowser(devicesWithSpeech(makeFolder(), GO_FORWARD), { keepsPagesOpen: true })
const openDoor = useBrowser(devicesWithSpeech(folder, CLOSE_DOOR), { keepsPagesOpen: true })
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

const saidBy = (name: string, text: string) => (view: SessionView) =>
  view.phrases.some(each => each.display_name === name && each.text === text)

describe('the transcription of a lesson', () => {
  it('shows the words of each speaker to everybody, and delivers them to the partner', async () => {
    const { links } = await createHostedRoom(partner, 'both', openForward)
    const { tag } = await partner.getRoom('both')
    await Visitor.join(await openForward(links.teacher))
    const student = await Visitor.join(await openDoor(links.student))
    const watcher = enter({ url: lectern.url, tag, account: await becomeGuest(lectern.url, 'Watcher') })
    await watcher.waitForJoin()
    await transcription.start(watcher, tag)
    await watcher.waitForView('the words of the teacher', saidBy('Anna Petrova', GO_FORWARD.text))
    await student.page.locator('[data-speaking]').filter({ hasText: 'Anna' }).waitFor()
    await watcher.waitForView('the words of the student', saidBy('Mia Andersson', CLOSE_DOOR.text))
    expect((await transcription.request(tag, 'stop')).status).toBe(200)
    const { event } = await receiver.next(tag)
    await watcher.waitForView('the end', view => !view.transcription)

    expect(receiver.refused).toEqual([])
    const run = (event as TranscriptionReady).data.transcription
    expect(run).toMatchObject({
      conference_tag: tag,
      conference_session_id: Number(watcher.session),
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
      const participant = watcher.view?.participants.find(each => each.display_name === speaker.name)
      expect(participant).toMatchObject({ user_id: String(speaker.client_id) })
      expect(participant?.participant_id.endsWith(`.${speaker.device_id}`)).toBe(true)
    }
    expect(run.segments.map(({ seq }) => seq)).toEqual(run.segments.map((_, i) => i + 1))
  })
})
