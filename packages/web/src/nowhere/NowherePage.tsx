import { Signpost } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'

export function NowherePage() {
  const { t } = useTexts()
  const title = t('nowhere.title')
  return (
    <Page title={title} status="">
      <Message icon={Signpost} title={title} text={t('nowhere.text')} />
    </Page>
  )
}
