import { useEffect } from 'react'
import { CallLayer } from '../calls/CallLayer.tsx'
import { useNotificationClicks } from '../push/use-notification-clicks.ts'
import { documentTitle } from '../site/document-title.ts'
import { useAccountView } from './use-connection.ts'

/** The parts of every page of a signed-in user: unread conversations in the title and icon of the tab, and calls. */
export function AccountLayer() {
  useNotificationClicks()
  const unread = useAccountView()?.unmuted_unread_conversations ?? 0
  useEffect(() => {
    documentTitle.setUnread(unread)
    return () => documentTitle.setUnread(0)
  }, [unread])
  return <CallLayer />
}
