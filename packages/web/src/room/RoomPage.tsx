import { useValue } from '../use-value.ts'
import { JoiningPage } from './JoiningPage.tsx'
import { OverPage } from './over/OverPage.tsx'
import { RoomView } from './RoomView.tsx'
import type { Room } from './room.ts'
import { WaitingPage } from './waiting/WaitingPage.tsx'

/** From the knock at the door to the goodbye. */
export function RoomPage({ room, onBack }: { room: Room; onBack: () => void }) {
  const state = useValue(room.call)
  const recovery = useValue(room.call.recovery)
  switch (state.is) {
    case 'joining':
      return <JoiningPage isReconnecting={recovery.is === 'reconnecting'} onBack={onBack} />
    case 'waiting':
      return <WaitingPage room={room} reason={state.reason} onLeave={onBack} />
    case 'inside':
      return <RoomView room={room} inside={state} />
    case 'over':
      return (
        <OverPage reason={state.reason} onJoinAgain={onBack} hasNavigation={room.features.mainNavigation} />
      )
  }
}
