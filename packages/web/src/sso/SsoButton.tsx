import { useState } from 'react'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import styles from './SsoButton.module.css'
import type { SsoProblem } from './single-sign-on.ts'

interface Props {
  name: string
  /** A password is possible, too. */
  secondary: boolean
}

/** Leaves for the identity provider; the user continues on this page afterwards. */
export function SsoButton({ name, secondary }: Props) {
  const { t } = useTexts()
  const { sso } = useSite()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<SsoProblem | null>(null)
  const start = async () => {
    setBusy(true)
    setProblem(null)
    const found = await sso.start(location.pathname)
    if (found === null) return // the page is about to be left
    setProblem(found)
    setBusy(false)
  }
  return (
    <div className={styles.way}>
      <Button secondary={secondary} busy={busy} onClick={() => void start()}>
        {busy ? t('sso.leaving') : t('sso.verb', { name })}
      </Button>
      <div role="alert" className={styles.problem}>
        {problem && <p>{t(`sso.problems.${problem}`)}</p>}
      </div>
    </div>
  )
}
