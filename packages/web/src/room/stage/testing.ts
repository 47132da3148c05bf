import { settle } from '../../call/testing/call-harness.ts'
import { aParticipant, aPublication } from '../../call/testing/session.ts'
import type { RoomOptions } from '../room.ts'
import { createTestRoom } from '../testing.ts'

export const SIZE = { width: 1416, height: 770 }

/** A room with this many people in all, whose cameras and microphones are offered. */
export async function stageOf(people: number, parts: Partial<RoomOptions> = {}) {
  const { room, harness, page } = createTestRoom(parts)
  await harness.enter()
  const { control } = harness
  const [me] = control.view.get()?.participants ?? []
  if (!me) throw new Error('a participant was expected')
  const others = Array.from({ length: people - 1 }, (_, at) =>
    aParticipant(`other${at}`, { user_id: `u${at}` }),
  )
  const publications = others.flatMap(({ participant_id }) => [
    aPublication({ publication_id: `camera-${participant_id}`, participant_id }),
    aPublication({ publication_id: `voice-${participant_id}`, participant_id, source: 'microphone' }),
  ])
  control.updateSession({ participants: [me, ...others], publications })
  room.layout.choose('grid')
  room.stage.setSize(SIZE, 2)
  const reported = () =>
    control.bodies('media.set_layers') as { publication_id: string; shown: { width: number } | null }[]
  const offerAll = async () => {
    for (const { publication_id } of publications)
      control.receiveMedia({
        media: {
          conference_session_id: '1',
          participant_instance_id: 'p1',
          publication_id,
          endpoint_id: 'e1',
          negotiation_id: `n-${publication_id}`,
          rtc_node_id: 'node',
          route_generation: '1',
          scope: 'video',
        },
        name: 'webrtc_offer',
        body: { consumer_id: `c-${publication_id}`, participant_id: 'x', source: 'camera' },
      })
    await settle()
  }
  /** The last report of each video. */
  const received = () => {
    const last = new Map(reported().map(({ publication_id, shown }) => [publication_id, shown]))
    return [...last].filter(([, shown]) => shown !== null).map(([id]) => id.replace('camera-', 'person '))
  }
  const visible = () => [...room.stage.get().rects.keys()].filter(id => id !== `person ${me.participant_id}`)
  const setPageVisible = (isVisible: boolean) => page.setVisible(isVisible)
  return { room, control, setPageVisible, offerAll, reported, received, visible, media: control.media }
}
