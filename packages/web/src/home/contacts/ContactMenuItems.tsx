import type { Contact } from '@lectern/protocol/control/client'
import { Ban, UserCheck, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { MenuItem } from '../../ui/MenuItem.tsx'
import styles from './ContactMenuItems.module.css'
import { useContactActions } from './contact-actions.ts'
import { useAction } from './use-action.ts'

interface Props {
  userId: string
  /** The relation of this person to the user; undefined: none. */
  contact: Contact | undefined
  name: string
  onClose: () => void
}

/** The actions on a person, in a menu. */
export function ContactMenuItems({ userId, contact, name, onClose }: Props) {
  const { t } = useTexts()
  const actions = useContactActions()
  const { failure, run } = useAction()
  const [asked, setAsked] = useState<'remove' | 'block' | null>(null)
  const state = contact?.state
  const act = async (action: () => Promise<unknown>) => {
    if (await run(action)) onClose()
  }
  return (
    <div className={styles.items}>
      {state === undefined && (
        <MenuItem icon={UserPlus} onClick={() => void act(() => actions.add(userId))}>
          {t('contacts.add')}
        </MenuItem>
      )}
      {state === 'outgoing' && (
        <MenuItem icon={UserMinus} onClick={() => void act(() => actions.remove(userId))}>
          {t('contacts.withdraw')}
        </MenuItem>
      )}
      {state === 'contact' && (
        <MenuItem icon={UserMinus} onClick={() => setAsked('remove')}>
          {t('contacts.remove')}
        </MenuItem>
      )}
      {state === 'blocked' ? (
        <MenuItem icon={UserCheck} onClick={() => void act(() => actions.remove(userId))}>
          {t('contacts.unblock')}
        </MenuItem>
      ) : (
        <MenuItem icon={Ban} onClick={() => setAsked('block')}>
          {t('contacts.block')}
        </MenuItem>
      )}
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
      {asked && (
        <ConfirmDialog
          question={t(`contacts.confirm.${asked}`, { name })}
          verb={t(`contacts.${asked}`)}
          cancel={t('room.cancel')}
          danger
          onConfirm={() => void act(() => actions[asked](userId))}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  )
}
