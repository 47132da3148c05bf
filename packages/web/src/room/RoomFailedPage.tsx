import { CloudOff } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'

/** The room's code does not load. A reload continues to the room if that has become possible. */
export function RoomFailedPage({ onBack }: { onBack: () => void }) {
  const { t } = useTexts()
  const title = t('room.failed.title')
  return (
    <Page title={title} status={title}>
      <Message icon={CloudOff} title={title} text={t('room.failed.text')}>
        <Button onClick={() => location.reload()}>{t('callEnded.reload')}</Button>
        <Button secondary onClick={onBack}>
          {t('room.back')}
        </Button>
      </Message>
    </Page>
  )
}
