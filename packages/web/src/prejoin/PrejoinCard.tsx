import { DescriptionFact } from '../link/DescriptionFact.tsx'
import { InvitationFacts } from '../link/InvitationFacts.tsx'
import { InviteeFact } from '../link/InviteeFact.tsx'
import { WhenFact } from '../link/WhenFact.tsx'
import { MODERATOR, ModeratorTerm, TEACHER } from '../room/moderator-term.ts'
import { Card } from '../ui/Card.tsx'
import { BrowserNote } from './BrowserNote.tsx'
import { DeviceStage } from './DeviceStage.tsx'
import { CopyLink } from './entry/CopyLink.tsx'
import { ElsewhereFact } from './entry/ElsewhereFact.tsx'
import { EntryForm, type EntryFormProps } from './entry/EntryForm.tsx'
import { RecordingFact } from './entry/RecordingFact.tsx'
import styles from './PrejoinCard.module.css'

/** WebRTC is missing in some builds of WebKit, and where it is turned off. */
const hasWebRtc = () => typeof RTCPeerConnection === 'function'

interface Props extends EntryFormProps {
  /** Another tab of this browser is in the room. */
  isElsewhere?: boolean
}

/** The prejoin screen: the invitation, the devices, and the form to join, which is always in view. */
export function PrejoinCard({ isElsewhere = false, ...props }: Props) {
  const { invitation, devices } = props
  const { description, startsAt, endsAt, invitee, features, isRecorded } = invitation
  const isSupported = hasWebRtc()
  return (
    <ModeratorTerm value={invitation.isPartnerRoom ? TEACHER : MODERATOR}>
      <Card wide frameless>
        <div className={styles.prejoin}>
          <div className={styles.rest}>
            <div className={styles.first}>
              <div className={features.mainNavigation ? styles.factsBesideMenu : styles.facts}>
                <InvitationFacts invitation={invitation} />
              </div>
              <div className={styles.stage}>
                {isSupported ? <DeviceStage devices={devices} /> : <BrowserNote />}
              </div>
            </div>
            {isSupported && (
              <div className={styles.more}>
                <WhenFact startsAt={startsAt} endsAt={endsAt} />
                {description && <DescriptionFact description={description} />}
                {invitee && <InviteeFact invitee={invitee} />}
              </div>
            )}
          </div>
          <div className={styles.foot}>
            {isRecorded && isSupported && <RecordingFact />}
            {isElsewhere && <ElsewhereFact />}
            {isSupported ? <EntryForm {...props} /> : <CopyLink />}
          </div>
        </div>
      </Card>
    </ModeratorTerm>
  )
}
