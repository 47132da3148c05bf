import type { Contact, Conversation } from '@lectern/protocol/control/client'
import { useConnection } from '../../account-connection/use-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Messaging } from './messaging.ts'

export const useMessaging = (): Messaging => Messaging.of(useConnection())

/** The names of people and conversations; some have none. */
export function useNames() {
  const { t } = useTexts()
  return {
    person: ({ display_name, login }: Pick<Contact, 'display_name' | 'login'>) =>
      display_name || login || t('chat.nameless'),
    conversation: ({ title, kind }: Pick<Conversation, 'title' | 'kind'>, contact?: Contact) =>
      title || contact?.login || (kind === 'direct' ? t('chat.nameless') : t('invitation.untitled')),
  }
}
