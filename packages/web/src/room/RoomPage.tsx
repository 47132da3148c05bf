import { useValue } from '../use-value.ts'
import { CallEndedPage } from './ended/CallEndedPage.tsx'
import { JoiningPage } from './JoiningPage.tsx'
import { MODERATOR, ModeratorTerm, TEACHER } from './moderator-term.ts'
import { RoomView } from './RoomView.tsx'
import type { Room } from './room.ts'
import { WaitingPage } from './waiting/WaitingPage.tsx'

interface Props {
  room: Room
  onBack: () => void
}

/** A room from joining to the end of the call. */
export function RoomPage({ room, onBack }: Props) {
  return (
    <ModeratorTerm value={room.isPartnerRoom ? TEACHER : MODERATOR}>
      <CallPage room={room} onBack={onBack} />
    </ModeratorTerm>
  )
}

function CallPage({ room, onBack }: Props) {
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
        <CallEndedPage
          reason={state.reason}
          onJoinAgain={onBack}
          hasNavigation={room.features.mainNavigation}
        />
      )
  }
}
