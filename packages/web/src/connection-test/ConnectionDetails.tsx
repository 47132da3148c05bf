import { useRef, useState } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import styles from './ConnectionCheck.module.css'
import type { RouteResults } from './connection-test.ts'
import { factsOf } from './facts.ts'

/** The results in detail, for support. */
export function ConnectionDetails({ results }: { results: RouteResults }) {
  const { t } = useTexts()
  const list = useRef<HTMLDListElement>(null)
  const [facts] = useState(() => factsOf(results, t))
  const [outcome, setOutcome] = useState<'copied' | 'selected' | null>(null)

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(facts.map(fact => fact.join(': ')).join('\n'))
      setOutcome('copied')
    } catch {
      // Frames and insecure pages may not copy; the user can copy the selection.
      if (list.current) getSelection()?.selectAllChildren(list.current)
      setOutcome('selected')
    }
  }

  return (
    <details className={styles.details}>
      <summary>{t('connection.details')}</summary>
      <dl ref={list} className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.copy}>
        <Button secondary onClick={() => void copy()}>
          {t('connection.copy')}
        </Button>
        <p role="status">{outcome && t(`connection.${outcome}`)}</p>
      </div>
    </details>
  )
}
