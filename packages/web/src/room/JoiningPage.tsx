import { LogIn } from 'lucide-react'
import type { Recovery } from '../call/recovery.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'
import { useValue } from '../use-value.ts'

/** Between the prejoin screen and the room. */
export function JoiningPage({ recovery, onBack }: { recovery: Recovery; onBack: () => void }) {
  const { t } = useTexts()
  const title = t('room.joining')
  const trouble = useValue(recovery).is === 'reconnecting' ? t('room.banner.reconnecting') : ''
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
