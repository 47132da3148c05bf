import { useEffect, useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { useValue } from '../../use-value.ts'
import styles from './ConnectionBanner.module.css'

/** Short interruptions are not worth a message. */
const QUIET_MS = 1_500

/** Says what is wrong with the connection to the server; empty while it works. */
export function ConnectionBanner() {
  const { t } = useTexts()
  const { is } = useValue(useConnection())
  const isLate = useIsLate(is === 'interrupted')
  return (
    <div role="status" className={styles.banner}>
      {isLate && <p>{navigator.onLine ? t('home.connection.reconnecting') : t('home.connection.offline')}</p>}
      {is === 'outdated' && (
        <p>
          {t('home.connection.outdated')}{' '}
          <LinkButton onClick={() => location.reload()}>{t('home.connection.reload')}</LinkButton>
        </p>
      )}
    </div>
  )
}

/** Whether something has been the case for a while. */
function useIsLate(isCase: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(isCase), isCase ? QUIET_MS : 0)
    return () => clearTimeout(timer)
  }, [isCase])
  return isLate && isCase
}
