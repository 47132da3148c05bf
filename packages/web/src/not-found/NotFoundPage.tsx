import { Signpost } from 'lucide-react'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'

export function NotFoundPage() {
  const { t } = useTexts()
  const { go } = useSite()
  const title = t('notFound.title')
  return (
    <Page title={title} status="">
      <Message icon={Signpost} title={title} text={t('notFound.text')}>
        <Button secondary onClick={() => go('/')}>
          {t('menu.start')}
        </Button>
      </Message>
    </Page>
  )
}
