import { directChat } from '@lectern/protocol/control/client'
import { useConnection } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { PersonFinder } from '../contacts/PersonFinder.tsx'

/** Starts a conversation with a person who is found by the exact login or in the directory. */
export function NewConversationDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  const { go } = useSite()
  const { userId } = useConnection()
  const open = (found: string) => {
    onClose()
    go(homePath('conversations', directChat(Number(userId), Number(found))))
  }
  return (
    <Dialog title={t('conversations.start')} onClose={onClose}>
      <PersonFinder verb={t('conversations.open')} onPick={open} onFound={open} />
    </Dialog>
  )
}
