import type { ParticipantView } from '@lectern/protocol/control/client'
import { MessageSquare, Users } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useUnread } from '../chat/chat-view-state.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { ControlButton } from './ControlButton.tsx'
import { useFocusReturn } from './use-focus-return.ts'

export function ChatButton({ room }: { room: Room }) {
  const { t } = useTexts()
  const unread = useUnread(room.call)
  const isOpen = useValue(room.panels) === 'chat'
  const hasUnread = unread > 0 && !isOpen
  return (
    <ControlButton
      icon={MessageSquare}
      label={hasUnread ? t('room.chatUnread', { count: unread }) : t('room.chat')}
      caption={t('room.chat')}
      hint={t('room.chat')}
      isOn={isOpen}
      badge={hasUnread ? unread : undefined}
      shortcut="C"
      button={useFocusReturn(isOpen)}
      onClick={() => room.panels.toggle('chat')}
    />
  )
}

/** Moderators see on it how many raise a hand or wait in the lobby. */
export function PeopleButton({ room, joined: { me, session } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const isModerator = me.role === 'moderator'
  const isRaised = (participant: ParticipantView) =>
    participant !== me && participant.hand_raised_at_ms !== null
  const hands = isModerator ? session.participants.filter(isRaised).length : 0
  const waiting = isModerator ? session.lobby.length : 0
  const isOpen = useValue(room.panels) === 'people'
  const number = new Set(session.participants.map(each => each.user_id)).size
  const label = t('room.people', { number })
  const concerns = [hands > 0 && t('bar.hands', { hands }), waiting > 0 && t('bar.waiting', { waiting })]
  return (
    <ControlButton
      icon={Users}
      label={label}
      hint={concerns.filter(Boolean).join(' · ') || label}
      badge={hands + waiting || undefined}
      caption={t('people.title')}
      isOn={isOpen}
      shortcut="P"
      button={useFocusReturn(isOpen)}
      onClick={() => room.panels.toggle('people')}
    />
  )
}
