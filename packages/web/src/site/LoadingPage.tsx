import { CloudOff, LoaderCircle } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import styles from './LoadingPage.module.css'
import { MainMenu } from './MainMenu.tsx'

/** Shown while code loads; only when that takes long, so that fast loads do not flicker. */
export function LoadingPage() {
  const { t } = useTexts()
  const title = t('loading.title')
  return (
    <Page title={title} status={title} corner={<MainMenu />}>
      <div className={styles.late}>
        <Message icon={LoaderCircle} title={title} text={t('loading.text')} />
      </div>
    </Page>
  )
}

/** Code does not load, and reloading the page has not helped. */
export function LoadingFailedPage() {
  const { t } = useTexts()
  const title = t('loading.failed')
  return (
    <Page title={title} status={title} corner={<MainMenu />}>
      <Message icon={CloudOff} title={title} text={t('loading.failedText')}>
        <Button onClick={() => location.reload()}>{t('callEnded.reload')}</Button>
      </Message>
    </Page>
  )
}
