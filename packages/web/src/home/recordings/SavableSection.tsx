import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import styles from './SavableSection.module.css'

interface Props {
  title: string
  icon: LucideIcon
  saveLabel: string
  /** Downloads the content; false: that failed. Null: the recording has no such file. */
  onSave: (() => Promise<boolean>) | null
  children: ReactNode
}

/** A part of a recording that can be saved as a file. */
export function SavableSection({ title, icon, saveLabel, onSave, children }: Props) {
  const { t } = useTexts()
  const heading = useId()
  const [failed, setFailed] = useState(false)
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <div className={styles.head}>
        <h2 id={heading} className={styles.heading}>
          {title}
        </h2>
        {onSave && (
          <PanelButton
            icon={icon}
            label={saveLabel}
            onClick={() => void onSave().then(isSaved => setFailed(!isSaved))}
          />
        )}
      </div>
      {failed && (
        <p className={styles.failed} role="alert">
          {t('recordings.notDone')}
        </p>
      )}
      {children}
    </section>
  )
}
