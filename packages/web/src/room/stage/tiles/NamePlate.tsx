import type { ParticipantView } from '@lectern/protocol/control/client'
import { BadgeAlert, Hand, type LucideIcon, MicOff } from 'lucide-react'
import type { Call } from '../../../call/call.ts'
import { useTexts } from '../../../texts/use-texts.ts'
import { NamedText } from '../../../ui/NamedText.tsx'
import { useValue } from '../../../use-value.ts'
import { useModeratorTerm } from '../../moderator-term.ts'
import { qualityIcons } from '../../quality-icons.ts'
import type { Hand as HandPosition } from './hands.ts'
import styles from './NamePlate.module.css'

interface Props {
  call: Call
  participant: ParticipantView
  isMe: boolean
  isMuted: boolean
  /** No moderator, but named like one. */
  isNamesake: boolean
  hand: HandPosition | null
}

/** The name and state of a participant. */
export function NamePlate({ call, participant, isMe, isMuted, isNamesake, hand }: Props) {
  const { t, locale } = useTexts()
  const moderator = useModeratorTerm()
  const { participant_id, presence, display_name: name } = participant
  const measured = useValue(call.qualities).get(participant_id)
  const quality = presence === 'away' ? 'lost' : measured
  return (
    <>
      {hand && (
        <p className={styles.hand}>
          <StatusIcon
            icon={Hand}
            text={
              hand.of > 1 ? t('stage.hand', { name, number: hand.number }) : t('room.handRaised', { name })
            }
          />
          <span aria-hidden="true">{hand.number.toLocaleString(locale)}</span>
        </p>
      )}
      <p className={styles.plate}>
        {isMuted && <StatusIcon icon={MicOff} text={t('room.muted')} />}
        <NamedText
          text={shown => (isMe ? t('room.you', { name: shown }) : shown)}
          name={name}
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
