import { LogIn } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { Page } from '../ui/Page.tsx'

interface Props {
  /** An attempt to connect has failed. */
  isReconnecting?: boolean
  onBack: () => void
}

/** Shown between the prejoin screen and the room. */
export function JoiningPage({ isReconnecting = false, onBack }: Props) {
  const { t } = useTexts()
  const title = t('room.joining')
  const problem = isReconnecting ? t('room.banner.reconnecting') : ''
  return (
    <Page title={title} status={problem || title}>
      <Message icon={LogIn} title={title} text={problem}>
        <Button secondary onClick={onBack}>
          {t('room.back')}
        </Button>
      </Message>
    </Page>
  )
}
