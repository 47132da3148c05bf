import { useEffect, useRef } from 'react'
import { permissionsOf } from '../../call/own-permissions.ts'
import type { Input } from '../../devices/input.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { BoardButton } from '../board/BoardButton.tsx'
import type { JoinedState } from '../joined-state.ts'
import { MoreButton } from '../more/MoreButton.tsx'
import { useRoomParts } from '../parts.ts'
import { ReactionsButton } from '../reactions/ReactionsButton.tsx'
import type { Room } from '../room.ts'
import { ShareGroup } from '../sharing/ShareGroup.tsx'
import { usePushToTalk } from '../talk/use-push-to-talk.ts'
import { CaptionsButton, toggleCaptions } from './CaptionsButton.tsx'
import styles from './ControlBar.module.css'
import { HandButton } from './HandButton.tsx'
import { InputButton } from './InputButton.tsx'
import { LeaveButton } from './LeaveButton.tsx'
import { ChatButton, PeopleButton } from './PanelButtons.tsx'
import { canShareScreen } from './ShareButton.tsx'
import { useShortcuts } from './shortcuts.ts'
import { useCompact } from './use-compact.ts'
import { useQuietTips } from './use-quiet-tips.ts'

/** What does not work is explained in the settings, where it can be tried again. */
function press(input: Input, showSettings: () => void): void {
  if (input.get().is === 'failed') showSettings()
  else void input.toggle()
}

/** The bar: buttons about this person, then the lesson, then the way out. On a phone five of the buttons. */
export function ControlBar({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const parts = useRoomParts()
  const isCompact = useCompact()
  const bar = useRef<HTMLElement>(null)
  useQuietTips(bar)
  useEffect(() => {
    // The button that has joined has disappeared: the next one is the microphone.
    if (document.activeElement === document.body && document.hasFocus())
      bar.current?.focus({ preventScroll: true })
  }, [])
  const reactions = useRef<HTMLButtonElement>(null)
  const { call, devices, features, layout, panels } = room
  const { camera, microphone } = devices
  const { publishers, screenShare } = call.local
  const isModerator = joined.me.role === 'moderator'
  const board = useValue(room.board)
  const may = permissionsOf(joined.session, joined.me)
  const isHandUp = joined.me.hand_raised_at_ms !== null
  /** A moderator's is among the reactions until it is up, on phones in *More*. */
  const isHandElsewhere = isModerator && (isCompact || (features.reactions && may.chat && !isHandUp))
  // After a failure it stays as it was.
  const turnHand = () => void call.actions.raiseHand(!isHandUp).catch(() => {})
  const canShare = features.screenSharing && canShareScreen()
  const isSharing = () => screenShare.get().on
  const actions: Parameters<typeof useShortcuts>[0] = {
    ...(may.microphone && { m: () => press(microphone, () => room.dialogs.show('audio')) }),
    ...(may.camera && { v: () => press(camera, () => room.dialogs.show('video')) }),
    ...(canShare && {
      s: () => (isSharing() ? screenShare.stop() : may.screen && void screenShare.start()),
    }),
    ...(board.isAvailable && { b: room.board.toggle }),
    h: turnHand,
    p: () => panels.toggle('people'),
    g: layout.chooseNext,
    f: () => void room.fullscreen.toggle(),
    ',': () => room.dialogs.show('audio'),
    '?': () => room.dialogs.show('keys'),
    ...(features.chat && { c: () => panels.toggle('chat') }),
    ...(features.reactions && may.chat && { r: () => room.dialogs.show('reactions') }),
    ...(features.transcription && { t: () => toggleCaptions(room, joined.session.transcription) }),
  }
  useShortcuts(actions, useValue(room.shortcutKeys))
  usePushToTalk(room.pushToTalk, may.microphone)
  return (
    <section ref={bar} className={styles.bar} aria-label={t('room.controls')} tabIndex={-1}>
      <div className={styles.me}>
        <InputButton
          input={microphone}
          publisher={publishers.microphone}
          transport={call.media.transport}
          shortcut="M"
          isPermitted={may.microphone}
          onSettings={() => room.dialogs.show('audio')}
          isHandUp={isHandUp}
          onRaiseHand={turnHand}
        />
        <InputButton
          input={camera}
          publisher={publishers.camera}
          transport={call.media.transport}
          shortcut="V"
          isPermitted={may.camera}
          onSettings={() => room.dialogs.show('video')}
          isHandUp={isHandUp}
          onRaiseHand={turnHand}
        />
      </div>
      <div className={styles.lesson}>
        {!isCompact && <ShareGroup room={room} joined={joined} may={may} />}
        {(!isCompact || isModerator) && <BoardButton room={room} isModerator={isModerator} />}
        {!isHandElsewhere && <HandButton room={room} joined={joined} />}
        {!isCompact && features.reactions && (
          <ReactionsButton room={room} isPermitted={may.chat} opener={reactions} />
        )}
        {!isCompact && features.transcription && <CaptionsButton room={room} joined={joined} />}
        {!isCompact && <hr />}
        {(!isCompact || (isModerator && !board.isAvailable)) && <PeopleButton room={room} joined={joined} />}
        {features.chat && <ChatButton room={room} />}
        <MoreButton room={room} joined={joined} may={may} />
      </div>
      {parts && features.reactions && may.chat && (
        <parts.ReactionStrip room={room} joined={joined} opener={reactions} />
      )}
      <div className={styles.out}>
        <LeaveButton room={room} canEnd={isModerator} />
      </div>
    </section>
  )
}
