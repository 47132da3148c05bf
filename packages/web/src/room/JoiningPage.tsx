import { LogIn } from 'lucide-react'
import type { LinkState } from '../call/call.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'

/** Between the prejoin screen and the room. */
export function JoiningPage({ link, onBack }: { link: LinkState; onBack: () => void }) {
  const { t } = useTexts()
  const title = t('room.joining')
  const trouble = link.is === 'reconnecting' ? t('room.banner.reconnecting') : ''
  return (
    <Page title={title} status={trouble || title}>
      <Message icon={LogIn} title={title} text={trouble}>
        <Button quiet onClick={onBack}>
          {t('room.back')}
        </Button>
      </Message>
    </Page>
  )
}
