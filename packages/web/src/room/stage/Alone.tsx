import { Armchair } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { Inside } from '../inside.ts'
import type { Room } from '../room.ts'
import styles from './Alone.module.css'
import type { Rect } from './arrange.ts'

interface Props {
  room: Room
  me: Inside['me']
  place: Rect | null
}

/** Shown beside one's own tile while nobody else is in the room. */
export function Alone({ room, me, place }: Props) {
  const { t } = useTexts()
  const name = useValue(room.companion)
  const waitingFor = () => {
    if (name !== null) return t('room.waitingForName', { name })
    const isStudent = room.isPartnerRoom && me.role !== 'moderator'
    return isStudent ? t('room.waitingForTeacher') : t('room.waitingForOthers')
  }
  return (
    <div className={styles.alone} style={place ?? undefined} hidden={!place}>
      <Armchair aria-hidden="true" />
      <p className={styles.title}>{t('room.alone')}</p>
      <p>{waitingFor()}</p>
    </div>
  )
}
