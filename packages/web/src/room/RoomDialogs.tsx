import { useValue } from '../use-value.ts'
import { EndDialog } from './bar/EndDialog.tsx'
import type { JoinedState } from './joined-state.ts'
import { ShortcutsDialog } from './menu/ShortcutsDialog.tsx'
import { OptionsDialog } from './options/OptionsDialog.tsx'
import { ReactionsDialog } from './reactions/ReactionsDialog.tsx'
import type { Room } from './room.ts'
import { StatisticsDialog } from './statistics/StatisticsDialog.tsx'

/** The dialog that a button or a key has opened, if any. */
export function RoomDialogs({ room, joined }: { room: Room; joined: JoinedState }) {
  const open = useValue(room.dialogs)
  switch (open) {
    case 'end':
      return <EndDialog room={room} />
    case 'options':
      return <OptionsDialog room={room} />
    case 'reactions':
      return <ReactionsDialog room={room} />
    case 'shortcuts':
      return <ShortcutsDialog onClose={() => room.dialogs.close('shortcuts')} />
    case 'statistics':
      return <StatisticsDialog room={room} joined={joined} />
    case null:
      return null
  }
}
