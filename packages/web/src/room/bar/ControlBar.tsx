import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { permissionsOf } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import type { JoinedState } from '../joined-state.ts'
import { OptionsButton } from '../options/OptionsButton.tsx'
import { ReactionsButton } from '../reactions/ReactionsButton.tsx'
import type { Room } from '../room.ts'
import { usePushToTalk } from '../talk/use-push-to-talk.ts'
import styles from './ControlBar.module.css'
import { ControlButton } from './ControlButton.tsx'
import { DevicesDialog } from './DevicesDialog.tsx'
import { Drawer } from './Drawer.tsx'
import { FullscreenButton } from './FullscreenButton.tsx'
import { HandButton } from './HandButton.tsx'
import { InputButton } from './InputButton.tsx'
import { LayoutButton } from './LayoutButton.tsx'
import { LeaveButton } from './LeaveButton.tsx'
import { ChatButton, PeopleButton, TranscriptButton } from './PanelButtons.tsx'
import { RecordingButton } from './RecordingButton.tsx'
import { ShareButton } from './ShareButton.tsx'
import { useShortcuts } from './shortcuts.ts'

/** The buttons of a room. On a phone the less frequent ones are in a drawer. */
export function ControlBar({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const [isChoosing, setChoosing] = useState(false)
  const { call, devices, features, layout, panels } = room
  const { camera, microphone } = devices
  const { publishers } = call.local
  const isModerator = joined.me.role === 'moderator'
  const may = permissionsOf(joined.session, joined.me)
  useShortcuts({
    ...(may.microphone && { m: () => void microphone.toggle() }),
    ...(may.camera && { v: () => void camera.toggle() }),
    h: () => void call.actions.raiseHand(joined.me.hand_raised_at_ms === null).catch(() => {}),
    p: () => panels.toggle('people'),
    g: layout.chooseNext,
    '?': () => room.dialogs.show('shortcuts'),
    ...(features.chat && { c: () => panels.toggle('chat') }),
    ...(features.chat && may.chat && { r: () => room.dialogs.show('reactions') }),
  })
  usePushToTalk(room.pushToTalk, may.microphone)
  const explain = () => setChoosing(true)
  return (
    <section className={styles.bar} aria-label={t('room.controls')}>
      <InputButton
        input={microphone}
        publisher={publishers.microphone}
        transport={call.media.transport}
        shortcut="M"
        isPermitted={may.microphone}
        onExplain={explain}
      />
      <InputButton
        input={camera}
        publisher={publishers.camera}
        transport={call.media.transport}
        shortcut="V"
        isPermitted={may.camera}
        onExplain={explain}
      />
      {features.chat && <ChatButton room={room} />}
      <Drawer>
        <ShareButton call={call} isPermitted={may.screen} />
        <HandButton room={room} joined={joined} />
        {features.chat && <ReactionsButton room={room} isPermitted={may.chat} />}
        <PeopleButton room={room} joined={joined} />
        {features.transcription && <TranscriptButton room={room} />}
        {isModerator && features.recordingControls && <RecordingButton recording={room.recording} />}
        <LayoutButton room={room} />
        <ControlButton icon={Settings2} label={t('room.devices')} onClick={explain} />
        <FullscreenButton fullscreen={room.fullscreen} />
        <OptionsButton room={room} />
      </Drawer>
      <div className={styles.out}>
        <LeaveButton room={room} canEnd={isModerator} />
      </div>
      {isChoosing && <DevicesDialog devices={devices} onClose={() => setChoosing(false)} />}
    </section>
  )
}
