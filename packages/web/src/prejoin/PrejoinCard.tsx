import { ConnectionCheck } from '../connection-test/ConnectionCheck.tsx'
import { InvitationFacts } from '../link/InvitationFacts.tsx'
import { InviteeFact } from '../link/InviteeFact.tsx'
import { WhenFact } from '../link/WhenFact.tsx'
import { Card } from '../ui/Card.tsx'
import { useValue } from '../use-value.ts'
import { BrowserNote } from './BrowserNote.tsx'
import { DeviceNotes } from './DeviceNotes.tsx'
import { DeviceSettings } from './DeviceSettings.tsx'
import { EntryForm, type EntryFormProps } from './EntryForm.tsx'
import { InputToggle } from './InputToggle.tsx'
import { LevelMeter } from './LevelMeter.tsx'
import styles from './PrejoinCard.module.css'
import { Preview } from './Preview.tsx'
import { RecordingFact } from './RecordingFact.tsx'

/** The prejoin screen: the invitation, the devices, and the form to join. */
export function PrejoinCard(props: EntryFormProps) {
  const { invitation, devices } = props
  const { camera, microphone, level } = devices
  const isMicrophoneOn = useValue(microphone).is === 'on'
  const { startsAt, endsAt, invitee } = invitation
  return (
    <Card wide>
      <div className={styles.prejoin}>
        <div className={styles.words}>
          <div className={styles.facts}>
            <InvitationFacts invitation={invitation} />
          </div>
          <div className={styles.form}>
            <BrowserNote />
            {invitation.isRecorded && <RecordingFact />}
            <EntryForm {...props} />
          </div>
          <div className={styles.when}>
            <WhenFact startsAt={startsAt} endsAt={endsAt} />
          </div>
          {invitee && (
            <div className={styles.invitee}>
              <InviteeFact invitee={invitee} />
            </div>
          )}
        </div>
        <div className={styles.devices}>
          <div className={styles.stage}>
            <Preview camera={camera} microphone={microphone} />
            <div className={styles.controls}>
              <InputToggle input={microphone} />
              <InputToggle input={camera} />
              {isMicrophoneOn && <LevelMeter level={level} />}
            </div>
            <DeviceNotes devices={devices} />
          </div>
          <div className={styles.settings}>
            <DeviceSettings devices={devices} />
            <ConnectionCheck />
          </div>
        </div>
      </div>
    </Card>
  )
}
