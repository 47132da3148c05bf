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
  const trouble = isReconnecting ? t('room.banner.reconnecting') : ''
  return (
    <Page title={title} status={trouble || title}>
      <Message icon={LogIn} title={title} text={trouble}>
        <Button secondary onClick={onBack}>
          {t('room.back')}
        </Button>
      </Message>
    </Page>
  )
}
