import { Armchair } from 'lucide-react'
import { useTexts } from '../../../texts/use-texts.ts'
import { useValue } from '../../../use-value.ts'
import type { JoinedState } from '../../joined-state.ts'
import { InviteButton } from '../../people/InviteButton.tsx'
import type { Room } from '../../room.ts'
import { type Rect, styleOf } from '../layout/geometry.ts'
import { InvitationLink } from './InvitationLink.tsx'
import styles from './WaitingTile.module.css'

interface Props {
  room: Room
  joined: JoinedState
  rect: Rect
}

/** Shown next to the own tile while nobody else is in the room, with the ways to get others into it. */
export function WaitingTile({ room, joined, rect }: Props) {
  const { t } = useTexts()
  const name = useValue(room.companion)
  const waitingFor = () => {
    if (name !== null) return t('room.waitingForName', { name })
    const isStudent = room.isPartnerRoom && joined.me.role !== 'moderator'
    return isStudent ? t('room.waitingForTeacher') : t('room.waitingForOthers')
  }
  return (
    <div className={styles.alone} style={styleOf(rect)}>
      <Armchair aria-hidden="true" />
      <p className={styles.title}>{t('room.alone')}</p>
      <p>{waitingFor()}</p>
      <div className={styles.ways}>
        {room.invitationUrl !== null && <InvitationLink url={room.invitationUrl} />}
        {room.features.mainNavigation && <InviteButton joined={joined} />}
      </div>
    </div>
  )
}
