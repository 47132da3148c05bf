import { useState } from 'react'
import { useModeratorTerm } from '../room/moderator-term.ts'
import { useTexts } from '../texts/use-texts.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import styles from './DescriptionFact.module.css'

/** The length of a description of which the style sheet shows only the beginning. */
const SHORT_LENGTH = 200
const SHORT_LINES = 4

/** The description of the meeting, as its creator wrote it: plain text with line breaks. */
export function DescriptionFact({ description }: { description: string }) {
  const { t } = useTexts()
  const [isWhole, setWhole] = useState(false)
  const isLong = description.length > SHORT_LENGTH || description.split('\n').length > SHORT_LINES
  return (
    <section>
      <h2 className={styles.label}>{t('invitation.about', useModeratorTerm())}</h2>
      <p className={isLong && !isWhole ? styles.short : styles.whole} dir="auto">
        {description}
      </p>
      {isLong && (
        <LinkButton onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('invitation.less') : t('invitation.all')}
        </LinkButton>
      )}
    </section>
  )
}
