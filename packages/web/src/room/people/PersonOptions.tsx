import type { SessionView } from '@lectern/control-client'
import { MonitorX, Spotlight, SquareX, VideoOff } from 'lucide-react'
import type { Actions } from '../../call/actions.ts'
import { permissionsOf } from '../../call/own-permissions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import type { Volumes } from '../audio/volumes.ts'
import styles from './PersonOptions.module.css'
import type { Device, Person } from './people.ts'
import { VolumeSlider } from './VolumeSlider.tsx'

interface Props {
  person: Person
  name: string
  session: SessionView
  volumes: Volumes
  /** Whether this user is a moderator. */
  isModerator: boolean
  actions: Pick<Actions, 'mute' | 'setPersonPermissions' | 'setSpotlight'>
  attempt: (action: () => Promise<unknown>) => void
}

const PERMISSIONS = ['microphone', 'camera', 'screen', 'chat'] as const

/** How loud a person is; and for moderators the spotlight, and what a person who is not a moderator may do. */
export function PersonOptions(props: Props) {
  const { t } = useTexts()
  const { person, name, volumes, isModerator } = props
  const { userId, isMe, devices } = person
  return (
    <section className={styles.options} aria-label={t('moderation.options', { name })}>
      {!isMe && (
        <VolumeSlider volumes={volumes} userId={userId} what="voice" label={t('options.volume.voice')} />
      )}
      {!isMe && devices.some(({ screenAudio }) => screenAudio) && (
        <VolumeSlider volumes={volumes} userId={userId} what="screen" label={t('options.volume.screen')} />
      )}
      {isModerator && <ModeratorOptions {...props} />}
    </section>
  )
}

function ModeratorOptions({ person, session, actions, attempt }: Props) {
  const { t } = useTexts()
  const { userId, devices } = person
  const isInSpotlight = session.spotlight_user_id === userId
  const permitted = permissionsOf(session, { role: 'participant', user_id: userId })
  const stop = (source: 'video' | 'screen', sends: (device: Device) => boolean) =>
    attempt(() => Promise.all(devices.filter(sends).map(({ id }) => actions.mute(id, source))))
  const isOther = !person.isMe
  return (
    <>
      <div className={styles.buttons}>
        <PanelButton
          icon={isInSpotlight ? SquareX : Spotlight}
          label={isInSpotlight ? t('moderation.endSpotlight') : t('moderation.spotlight')}
          onClick={() => attempt(() => actions.setSpotlight(isInSpotlight ? null : userId))}
        />
        {isOther && devices.some(({ camera }) => camera) && (
          <PanelButton
            icon={VideoOff}
            label={t('moderation.stopCamera')}
            onClick={() => stop('video', ({ camera }) => camera)}
          />
        )}
        {isOther && devices.some(({ screen }) => screen) && (
          <PanelButton
            icon={MonitorX}
            label={t('moderation.stopScreen')}
            onClick={() => stop('screen', ({ screen }) => screen)}
          />
        )}
      </div>
      {isOther &&
        !person.isModerator &&
        PERMISSIONS.map(permission => (
          <Switch
            key={permission}
            label={t(`moderation.person.${permission}`)}
            on={permitted[permission]}
            onChange={on =>
              attempt(() => actions.setPersonPermissions({ user_id: userId, [permission]: on }))
            }
          />
        ))}
    </>
  )
}
