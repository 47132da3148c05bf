import { Bell, BellOff, EllipsisVertical, Users, Video } from 'lucide-react'
import { useState } from 'react'
import { CallButtons } from '../../calls/CallButtons.tsx'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { HeaderButton } from '../../ui/HeaderButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { ContactMenuItems } from '../contacts/ContactMenuItems.tsx'
import { useContactActions } from '../contacts/contact-actions.ts'
import { useAction } from '../contacts/use-action.ts'
import styles from './ConversationActions.module.css'
import { MembersDialog } from './MembersDialog.tsx'
import type { useConversation } from './use-conversation.ts'

interface Props {
  open: ReturnType<typeof useConversation>
}

/** The actions on a conversation, in its header. */
export function ConversationActions({ open }: Props) {
  const { t } = useTexts()
  const { conversation, contact, otherId, tag } = open
  const actions = useContactActions()
  const { failure, run } = useAction()
  const [isShowingMembers, setShowingMembers] = useState(false)
  const isMuted = conversation?.muted ?? contact?.muted ?? false
  const canMute = tag === null ? contact?.state === 'contact' : conversation !== undefined
  const mute = () =>
    tag === null ? actions.muteDirect(otherId ?? '', !isMuted) : actions.muteConference(tag, !isMuted)
  return (
    <div className={styles.actions}>
      {contact?.state === 'contact' && <CallButtons people={[contact]} />}
      {tag !== null && (
        <Link href={`/conferences/${encodeURIComponent(tag)}`} className={styles.join}>
          <Video aria-hidden="true" />
          <span>{t('conversations.join')}</span>
        </Link>
      )}
      {tag !== null && conversation && (
        <HeaderButton
          icon={Users}
          label={t('conversations.members')}
          onClick={() => setShowingMembers(true)}
        />
      )}
      {tag !== null && isShowingMembers && (
        <MembersDialog tag={tag} onClose={() => setShowingMembers(false)} />
      )}
      {canMute && (
        <span className={otherId === null ? undefined : styles.wide}>
          <HeaderButton
            icon={isMuted ? BellOff : Bell}
            label={t('conversations.mute')}
            isPressed={isMuted}
            onClick={() => void run(mute)}
          />
        </span>
      )}
      {otherId !== null && (
        <Menu label={t('contacts.actions')} icon={EllipsisVertical}>
          {close => (
            <>
              {canMute && (
                <div className={styles.narrow}>
                  <Switch label={t('conversations.mute')} on={isMuted} onChange={() => void run(mute)} />
                </div>
              )}
              <ContactMenuItems userId={otherId} contact={contact} name={open.title} onClose={close} />
            </>
          )}
        </Menu>
      )}
      {failure && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </div>
  )
}
