import { LogIn } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'

/** Between the prejoin screen and the room. */
export function JoiningPage({ onBack }: { onBack: () => void }) {
  const { t } = useTexts()
  const title = t('room.joining')
  return (
    <Page title={title} status={title}>
      <Message icon={LogIn} title={title} text="">
        <Button quiet onClick={onBack}>
          {t('room.back')}
        </Button>
      </Message>
    </Page>
  )
}
