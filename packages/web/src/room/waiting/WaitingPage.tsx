import type { WaitReason } from '@lectern/protocol/control/client'
import { DeviceNotes } from '../../prejoin/DeviceNotes.tsx'
import { InputToggle } from '../../prejoin/InputToggle.tsx'
import { Preview } from '../../prejoin/Preview.tsx'
import { SettingsButton } from '../../prejoin/SettingsButton.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Page } from '../../ui/Page.tsx'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'
import styles from './WaitingPage.module.css'

interface Props {
  room: Room
  reason: WaitReason
  /** The connection is lost, so that nobody can admit this user. */
  isReconnecting: boolean
  onLeave: () => void
}

/** The lobby, until a moderator admits this user. Nothing about the room is known yet. */
export function WaitingPage({ room: { devices, title }, reason, isReconnecting, onLeave }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const heading = t(`waiting.${reason}.title`, moderator)
  return (
    <Page title={heading} status={heading}>
      <Card>
        <div className={styles.waiting}>
          <div className={styles.devices}>
            <Preview camera={devices.camera} microphone={devices.microphone} />
            <div className={styles.controls}>
              <InputToggle input={devices.microphone} />
              <InputToggle input={devices.camera} />
              <SettingsButton devices={devices} />
            </div>
          </div>
          <DeviceNotes devices={devices} />
          <div role="status" className={styles.text}>
            <p className={styles.room}>{title}</p>
            <h1 className={styles.heading}>{heading}</h1>
            <p>{isReconnecting ? t('room.banner.reconnecting') : t(`waiting.${reason}.text`, moderator)}</p>
          </div>
          <Button secondary onClick={onLeave}>
            {t('waiting.leave')}
          </Button>
        </div>
      </Card>
    </Page>
  )
}
