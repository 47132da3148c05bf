import type { ParticipantView } from '@lectern/protocol/control/client'
import { BadgeAlert, Hand, type LucideIcon, MicOff } from 'lucide-react'
import type { Call } from '../../../call/call.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { NamedText } from '../../../ui/NamedText.tsx'
import { useValue } from '../../../use-value.ts'
import { useModeratorTerm } from '../../moderator-term.ts'
import { qualityIcons } from '../../quality-icons.ts'
import styles from './NamePlate.module.css'

interface Props {
  call: Call
  participant: ParticipantView
  isMe: boolean
  isMuted: boolean
  /** No moderator, but named like one. */
  isNamesake: boolean
}

/** The name and state of a participant. */
export function NamePlate({ call, participant, isMe, isMuted, isNamesake }: Props) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { participant_id, presence, hand_raised_at_ms } = participant
  const measured = useValue(call.qualities).get(participant_id)
  const quality = presence === 'away' ? 'lost' : measured
  return (
    <>
      {hand_raised_at_ms !== null && (
        <p className={styles.hand}>
          <StatusIcon icon={Hand} text={t('room.handRaised', { name: participant.display_name })} />
        </p>
      )}
      <p className={styles.plate}>
        {isMuted && <StatusIcon icon={MicOff} text={t('room.muted')} />}
        <NamedText
          text={name => (isMe ? t('room.you', { name }) : name)}
          name={participant.display_name}
          className={styles.nameText}
        />
        {isNamesake && !isMe && <StatusIcon icon={BadgeAlert} text={t('people.namesake', moderator)} />}
        {quality && (
          <span data-quality={quality}>
            <StatusIcon icon={qualityIcons[quality]} text={t(`room.quality.${quality}`)} />
          </span>
        )}
      </p>
    </>
  )
}

function StatusIcon({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <span role="img" aria-label={text} title={text}>
      <Icon aria-hidden="true" />
    </span>
  )
}
