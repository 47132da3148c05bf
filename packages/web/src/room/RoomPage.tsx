import { Loaded } from '../site/Loaded.tsx'
import { useSite } from '../site/use-site.ts'
import { useValue } from '../use-value.ts'
import { JoiningPage } from './JoiningPage.tsx'
import { MODERATOR, ModeratorTerm, TEACHER } from './moderator-term.ts'
import { RoomView } from './RoomView.tsx'
import type { Room } from './room.ts'
import { WaitingPage } from './waiting/WaitingPage.tsx'

interface Props {
  room: Room
  /** To the page of the link. */
  onBack: () => void
  /** Into the room once more, as the same person with the same devices. */
  onRejoin: () => void
}

/** A room from joining to the end of the call. */
export function RoomPage({ room, onBack, onRejoin }: Props) {
  return (
    <ModeratorTerm value={room.isPartnerRoom ? TEACHER : MODERATOR}>
      <CallPage room={room} onBack={onBack} onRejoin={onRejoin} />
    </ModeratorTerm>
  )
}

function CallPage({ room, onBack, onRejoin }: Props) {
  const { roomParts } = useSite()
  const state = useValue(room.call)
  const recovery = useValue(room.call.recovery)
  const mayRender = useValue(room.mayRender)
  const isReconnecting = recovery.is === 'reconnecting'
  switch (state.is) {
    case 'joining':
      return <JoiningPage isReconnecting={isReconnecting} onBack={onBack} />
    case 'waiting':
      return (
        <WaitingPage room={room} reason={state.reason} isReconnecting={isReconnecting} onLeave={onBack} />
      )
    case 'joined':
      return mayRender ? <RoomView room={room} joined={state} /> : <JoiningPage onBack={onBack} />
    case 'ended':
      return (
        <Loaded
          code={roomParts}
          render={({ CallEndedPage }) => (
            <CallEndedPage
              room={room}
              reason={state.reason}
              lesson={state.reason === 'ended' ? room.lesson.summary() : null}
              onBack={onBack}
              onRejoin={onRejoin}
            />
          )}
        />
      )
  }
}
