import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import styles from './CopyLink.module.css'

/** In place of Join where this browser cannot join. */
export function CopyLink() {
  const { t } = useTexts()
  const { isCopied, copy } = useCopy()
  const [isRefused, setRefused] = useState(false)
  const press = async () => setRefused(!(await copy(location.href)))
  return (
    <div className={styles.copy}>
      <Button onClick={() => void press()}>{t('prejoin.copyLink')}</Button>
      <p role="status" className={styles.outcome}>
        {isCopied ? t('connection.copied') : isRefused && t('prejoin.copyRefused')}
      </p>
    </div>
  )
}
