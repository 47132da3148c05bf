import { useModule } from '../../site/use-module.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import { PageFrame } from '../shell/PageFrame.tsx'

/** The pages of administrators, whose code loads when they are opened. */
export function AdministrationPage({ parts }: { parts: readonly string[] }) {
  const { t } = useTexts()
  const { admin } = useSite()
  const state = useModule(admin)
  if (state.is === 'loaded') return <state.module.AdminPages parts={parts} />
  return (
    <PageFrame title={t('home.pages.admin')}>
      <p role="status">{state.is === 'loading' ? t('loading.title') : t('loading.failedText')}</p>
      {state.is === 'failed' && <Button onClick={() => location.reload()}>{t('callEnded.reload')}</Button>}
    </PageFrame>
  )
}
