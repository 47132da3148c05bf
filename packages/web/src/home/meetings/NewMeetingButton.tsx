import { useState } from 'react'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { useLists } from '../lists.ts'
import styles from './NewMeetingButton.module.css'

/** Creates a meeting and opens it at once. */
export function NewMeetingButton() {
  const { t } = useTexts()
  const { go } = useSite()
  const { conferences } = useLists()
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const start = async () => {
    setBusy(true)
    setFailed(false)
    const made = await conferences.create(t('meetings.new'), 'open')
    if (made) return go(`/conferences/${made.tag}`)
    setBusy(false)
    setFailed(true)
  }
  return (
    <div className={styles.start}>
      <Button busy={isBusy} onClick={() => void start()}>
        {t('meetings.new')}
      </Button>
      {hasFailed && (
        <p className={styles.failed} role="alert">
          {t('meetings.notDone')}
        </p>
      )}
    </div>
  )
}
