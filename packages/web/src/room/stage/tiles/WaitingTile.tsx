import { Armchair } from 'lucide-react'
import { useTexts } from '../../../texts/use-texts.ts'
import { useValue } from '../../../use-value.ts'
import type { JoinedState } from '../../joined-state.ts'
import type { Room } from '../../room.ts'
import { type Rect, styleOf } from '../layout/geometry.ts'
import styles from './WaitingTile.module.css'

interface Props {
  room: Room
  me: JoinedState['me']
  rect: Rect
}

/** Shown next to the own tile while nobody else is in the room. */
export function WaitingTile({ room, me, rect }: Props) {
  const { t } = useTexts()
  const name = useValue(room.companion)
  const waitingFor = () => {
    if (name !== null) return t('room.waitingForName', { name })
    const isStudent = room.isPartnerRoom && me.role !== 'moderator'
    return isStudent ? t('room.waitingForTeacher') : t('room.waitingForOthers')
  }
  return (
    <div className={styles.alone} style={styleOf(rect)}>
      <Armchair aria-hidden="true" />
      <p className={styles.title}>{t('room.alone')}</p>
      <p>{waitingFor()}</p>
    </div>
  )
}
