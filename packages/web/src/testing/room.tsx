import type { SessionView } from '@lectern/control-client'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import type { Call } from '../call/call.ts'
import type { CaptureScreen } from '../call/ports.ts'
import { settle } from '../call/testing/call-harness.ts'
import type { FakeControl } from '../call/testing/fake-control.ts'
import { aMessage, aParticipant, aPublication, aSession } from '../call/testing/session.ts'
import { RoomPage } from '../room/RoomPage.tsx'
import type { RoomOptions } from '../room/room.ts'
import { createTestRoom } from '../room/testing.ts'
import { type Rendered, type RenderOptions, render } from './render.tsx'
import { playableDevices, playableTrack } from './tracks.ts'

interface RoomRenderOptions extends RenderOptions {
  isModerator?: boolean
  /** The names of the others, whose ids are their first names in lower case. */
  others?: readonly string[]
  session?: Partial<SessionView>
  room?: Partial<RoomOptions>
  captureScreen?: CaptureScreen
  /** Before the join. */
  prepare?: (all: ReturnType<typeof createTestRoom>) => void
}

const idOf = (name: string) => name.split(' ')[0]?.toLowerCase() ?? ''

type TestRoom = ReturnType<typeof createTestRoom>

interface RenderedRoom extends TestRoom, Rendered {
  control: FakeControl
  call: Call
  /** Changes what the session says of a participant. */
  update: (id: string, parts: Parameters<typeof aParticipant>[1]) => void
  /** Offers a track of another participant. */
  offer: (id: string, source?: 'camera' | 'microphone' | 'screen') => Promise<void>
  /** The presses of buttons that lead back to the prejoin screen. */
  backs: number[]
  /** The presses of buttons that lead into the room once more. */
  rejoins: number[]
}

/** A room in which the user, Anna Petrova, has joined the session of a fake control channel. */
export async function renderRoom({
  isModerator = false,
  others = ['Mia Andersson'],
  session,
  room: parts,
  captureScreen = async () => ({ video: playableTrack('video', 640, 360), audio: null }),
  prepare,
  ...options
}: RoomRenderOptions = {}): Promise<RenderedRoom> {
  const all = createTestRoom(
    { page: document, ...parts },
    {
      devicePort: playableDevices('camera A', 'microphone A', 'speaker A'),
      receive: ({ kind }) => playableTrack(kind),
      captureScreen,
    },
  )
  const { room, harness, devices } = all
  const { control, call } = harness
  const me = aParticipant('me', {
    display_name: 'Anna Petrova',
    role: isModerator ? 'moderator' : 'participant',
    joined_at_ms: Date.now(),
  })
  const participants = [
    me,
    ...others.map((display_name, at) =>
      aParticipant(idOf(display_name), { display_name, user_id: `9${at}`, joined_at_ms: at + 2 }),
    ),
  ]
  control.handlers['conference.join'] = () => {
    control.view.set({ ...aSession('me'), participants, ...session })
    return { conference_session_id: '1', participant_id: 'me', role: me.role }
  }
  let sent = 0
  control.handlers['chat.send'] = ({ text }) => {
    const own = { display_name: me.display_name, sent_at_ms: Date.now() }
    const message = { ...aMessage(`own${++sent}`, String(text), me.user_id), ...own }
    control.updateSession({ messages: [...(control.view.get()?.messages ?? []), message] })
    return { message_id: message.message_id, sent_at_ms: message.sent_at_ms }
  }
  prepare?.(all)
  const backs: number[] = []
  const rejoins: number[] = []
  const screen = await render(
    <RoomPage
      room={room}
      onBack={() => backs.push(backs.length)}
      onRejoin={() => rejoins.push(rejoins.length)}
    />,
    options,
  )
  await harness.enter()
  await expect.poll(() => call.get().is !== 'joined' || room.mayRender.get()).toBe(true)

  const update = (id: string, parts: Parameters<typeof aParticipant>[1]) =>
    control.updateSession({
      participants:
        control.view
          .get()
          ?.participants.map(each => (each.participant_id === id ? { ...each, ...parts } : each)) ?? [],
    })
  const offer = async (id: string, source: 'camera' | 'microphone' | 'screen' = 'camera') => {
    const publication_id = `${source}-${id}`
    control.addPublication(aPublication({ publication_id, participant_id: id, source }))
    control.receiveMedia({
      media: {
        conference_session_id: '1',
        participant_instance_id: 'me',
        publication_id,
        endpoint_id: 'e1',
        negotiation_id: `n-${publication_id}`,
        rtc_node_id: 'node',
        route_generation: '1',
        scope: 'video',
      },
      name: 'webrtc_offer',
      body: {
        consumer_id: `c-${publication_id}`,
        participant_id: id,
        source,
        kind: source === 'microphone' ? 'audio' : 'video',
      },
    })
    await settle()
  }
  return { ...all, ...screen, control, call, devices, update, offer, backs, rejoins }
}

/** Presses an item of the popup *More*. */
export async function pressInMore(name: string): Promise<void> {
  const bar = page.getByRole('region', { name: 'Controls' })
  await bar.getByRole('button', { name: 'More', exact: true }).click()
  await bar.getByRole('button', { name, exact: true }).click()
}
