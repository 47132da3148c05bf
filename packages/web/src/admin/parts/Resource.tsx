import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureText } from './FailureText.tsx'
import styles from './Resource.module.css'

interface Props {
  state: { is: 'loading' } | { is: 'failed'; code: string | null } | { is: 'known' }
  reload: () => Promise<void>
}

/** The state of something that is not shown yet. */
export function ResourceStatus({ state, reload }: Props) {
  const { t } = useTexts()
  return (
    <>
      <div role="status">{state.is === 'loading' && <p>{t('admin.loading')}</p>}</div>
      {state.is === 'failed' && (
        <div className={styles.failed}>
          <p role="alert">
            <FailureText code={state.code} />
          </p>
          <Button secondary onClick={() => void reload()}>
            {t('problem.again')}
          </Button>
        </div>
      )}
    </>
  )
}
