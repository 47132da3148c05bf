import { useValue } from '../use-value.ts'
import { EndDialog } from './bar/EndDialog.tsx'
import { LayoutDialog } from './bar/LayoutDialog.tsx'
import type { JoinedState } from './joined-state.ts'
import { StopRecordingDialog } from './more/StopRecordingDialog.tsx'
import { ClassDialog } from './people/ClassDialog.tsx'
import type { Room } from './room.ts'
import { SettingsDialog } from './settings/SettingsDialog.tsx'
import { ShareProblemDialog } from './sharing/ShareProblemDialog.tsx'

/** The dialog that a button or a key has opened, if any, and why no screen can be shared. */
export function RoomDialogs({ room, joined }: { room: Room; joined: JoinedState }) {
  const { screenShare } = room.call.local
  const { problem } = useValue(screenShare)
  return (
    <>
      <OpenDialog room={room} joined={joined} />
      {problem && <ShareProblemDialog problem={problem} onClose={screenShare.dismissProblem} />}
    </>
  )
}

function OpenDialog({ room, joined }: { room: Room; joined: JoinedState }) {
  const open = useValue(room.dialogs)
  switch (open) {
    case 'class':
      return <ClassDialog room={room} joined={joined} />
    case 'end':
      return <EndDialog room={room} />
    case 'layout':
      return <LayoutDialog room={room} />
    case 'stopRecording':
      return <StopRecordingDialog room={room} />
    case 'reactions': // beside their button
    case null:
      return null
    default:
      return <SettingsDialog tab={open} room={room} joined={joined} />
  }
}
