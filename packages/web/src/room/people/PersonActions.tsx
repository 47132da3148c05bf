import type { SessionView } from '@lectern/control-client'
import { MicOff, MonitorX, Pencil, Spotlight, SquareX, UserRoundX, VideoOff } from 'lucide-react'
import type { Actions } from '../../call/actions.ts'
import type { BoardLink } from '../../call/board/board-link.ts'
import { permissionsOf } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Switch } from '../../ui/Switch.tsx'
import { useValue } from '../../use-value.ts'
import type { Volumes } from '../audio/volumes.ts'
import { PopupItem } from '../popup/PopupItem.tsx'
import { mayDrawOnPages, withDrawer } from './drawing.ts'
import styles from './PersonMenu.module.css'
import type { Device, Person } from './people.ts'
import { permissionsFor } from './permissions.ts'
import { VolumeSlider } from './VolumeSlider.tsx'

export interface PersonActionsProps {
  person: Person
  name: string
  session: SessionView
  volumes: Volumes
  /** Whether this user is a moderator. */
  isModerator: boolean
  actions: Pick<Actions, 'mute' | 'setPersonPermissions' | 'setSpotlight'>
  board: BoardLink
  attempt: (action: () => Promise<unknown>) => void
  onRename: () => void
  onRemove: () => void
}

const PERMISSIONS = ['microphone', 'camera', 'screen', 'draw', 'chat', 'files'] as const

/** The own name; how loud another person is; and for moderators what a person does, and may do. */
export function PersonActions(props: PersonActionsProps) {
  const { t } = useTexts()
  const { person, volumes, isModerator } = props
  const { userId, isMe, devices } = person
  return (
    <>
      {isMe && (
        <PopupItem icon={Pencil} onClick={props.onRename}>
          {t('people.rename')}
        </PopupItem>
      )}
      {isModerator && <ModeratorItems {...props} />}
      {!isMe && (
        <div className={styles.choices}>
          <VolumeSlider volumes={volumes} userId={userId} what="voice" label={t('options.volume.voice')} />
          {devices.some(({ screenAudio }) => screenAudio) && (
            <VolumeSlider
              volumes={volumes}
              userId={userId}
              what="screen"
              label={t('options.volume.screen')}
            />
          )}
        </div>
      )}
      {isModerator && permissionsFor(person).remove && (
        <>
          <Permissions {...props} />
          <div className={styles.last}>
            <PopupItem icon={UserRoundX} danger onClick={props.onRemove}>
              {t('people.remove')}
            </PopupItem>
          </div>
        </>
      )}
    </>
  )
}

function ModeratorItems({ person, session, actions, attempt }: PersonActionsProps) {
  const { t } = useTexts()
  const { userId, devices } = person
  const isInSpotlight = session.spotlight_user_id === userId
  const isOther = !person.isMe
  /** On all devices that it concerns. */
  const stop = (source: 'audio' | 'video' | 'screen', sends: (device: Device) => boolean) =>
    attempt(() => Promise.all(devices.filter(sends).map(({ id }) => actions.mute(id, source))))
  return (
    <>
      {permissionsFor(person).mute && (
        <PopupItem icon={MicOff} onClick={() => stop('audio', ({ microphone }) => microphone)}>
          {t('people.mute')}
        </PopupItem>
      )}
      {isOther && devices.some(({ camera }) => camera) && (
        <PopupItem icon={VideoOff} onClick={() => stop('video', ({ camera }) => camera)}>
          {t('moderation.stopCamera')}
        </PopupItem>
      )}
      {isOther && devices.some(({ screen }) => screen) && (
        <PopupItem icon={MonitorX} onClick={() => stop('screen', ({ screen }) => screen)}>
          {t('moderation.stopScreen')}
        </PopupItem>
      )}
      <PopupItem
        icon={isInSpotlight ? SquareX : Spotlight}
        onClick={() => attempt(() => actions.setSpotlight(isInSpotlight ? null : userId))}
      >
        {isInSpotlight ? t('moderation.endSpotlight') : t('moderation.spotlight')}
      </PopupItem>
    </>
  )
}

/** The permissions of a person who is not a moderator. */
function Permissions({ person: { userId }, session, actions, board, attempt }: PersonActionsProps) {
  const { t } = useTexts()
  const rights = useValue(board)?.rights
  const permitted = {
    ...permissionsOf(session, { role: 'participant', user_id: userId }),
    draw: rights && mayDrawOnPages(rights, userId),
  }
  const change = async (permission: (typeof PERMISSIONS)[number], on: boolean): Promise<unknown> => {
    if (permission !== 'draw') return actions.setPersonPermissions({ user_id: userId, [permission]: on })
    return rights && board.command('board.set_rights', withDrawer(rights, userId, on, session.participants))
  }
  return (
    <div className={styles.choices}>
      {PERMISSIONS.map(permission => {
        const on = permitted[permission]
        if (on === undefined) return null // the lesson has no board
        return (
          <Switch
            key={permission}
            label={t(`moderation.person.${permission}`)}
            on={on}
            onChange={on => attempt(() => change(permission, on))}
          />
        )
      })}
    </div>
  )
}
