import { type Contact, type Conversation, parseChatId } from '@lectern/protocol/control/client'
import { useEffect } from 'react'
import { useAccountView, useConnection } from '../../account-connection/use-connection.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useMessaging, useNames } from '../messaging/use-messaging.ts'

interface OpenConversation {
  /** Undefined: nobody has written anything yet, or it is not known yet. */
  conversation: Conversation | undefined
  kind: Conversation['kind']
  /** The other person of a direct conversation. */
  otherId: string | null
  /** The relation of the person to the user; undefined: none. */
  contact: Contact | undefined
  /** Files go to contacts and to members of conferences. */
  mayAttach: boolean
  tag: string | null
  title: string
}

/** The conversation of an address, as far as it is known. */
export function useConversation(chatId: string | undefined): OpenConversation {
  const { t } = useTexts()
  const names = useNames()
  const view = useAccountView()
  const { userId } = useConnection()
  const { list } = useMessaging()
  const { conversations, hasMore, isLoading, hasFailed } = useValue(list)
  const conversation = conversations?.find(each => each.chat_id === chatId)
  // The conversation may be an old one.
  const isMissing = chatId !== undefined && conversations !== null && !conversation
  useEffect(() => {
    if (isMissing && hasMore && !isLoading && !hasFailed) void list.loadMore()
  }, [isMissing, hasMore, isLoading, hasFailed, list])

  const ref = parseChatId(chatId ?? '')
  const other = ref?.kind === 'direct' ? ref.userIds.find(id => String(id) !== userId) : undefined
  const otherId = other === undefined ? null : String(other)
  const contact = view?.contacts.find(each => each.user_id === otherId)
  const title = conversation
    ? names.conversation(conversation, contact)
    : contact
      ? names.person(contact)
      : t('conversations.unknown')
  return {
    conversation,
    kind: ref?.kind ?? 'direct',
    otherId,
    contact,
    mayAttach: ref?.kind === 'conference' || contact?.state === 'contact',
    tag: ref?.kind === 'conference' ? ref.tag : null,
    title,
  }
}
