import { type ChatMessage, EDITABLE_MS } from '@lectern/protocol/control/client'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { clock } from '../time/clock.ts'
import { serverTime } from '../time/server-time.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { PanelButton } from '../ui/PanelButton.tsx'
import { useAction } from '../use-action.ts'
import { EditForm } from './EditForm.tsx'
import styles from './use-message-editing.module.css'

export interface MessageEditor {
  edit: (messageId: string, text: string) => Promise<unknown>
  remove: (messageId: string) => Promise<unknown>
  /** Why one of them failed. */
  describe: (error: unknown) => string
}

interface MessageEditing {
  /** The buttons of a message of which this is permitted. */
  actionsOf: (may: { edit: boolean; remove: boolean }) => (message: ChatMessage) => ReactNode
  /** In place of the message that is edited; null for all others. */
  renderForm: (message: ChatMessage) => ReactNode
  /** The question before a deletion. */
  dialog: ReactNode
}

/** Edits and deletes messages; own ones of a conversation for a day after they were sent. */
export function useMessageEditing({ edit, remove, describe }: MessageEditor): MessageEditing {
  const { t } = useTexts()
  /** Typed text is kept while the message is scrolled out of the window; null: nothing yet. */
  const [edited, setEdited] = useState<{ id: string; typed: string | null } | null>(null)
  const [deleted, setDeleted] = useState<string | null>(null)
  const { failure, run } = useAction(describe)

  return {
    actionsOf: may => message => {
      const { message_id } = message
      const isNew = serverTime(clock.get()) - message.sent_at_ms < EDITABLE_MS
      const mayEdit = may.edit && isNew
      const mayRemove = may.remove && (isNew || !may.edit)
      return (
        (mayEdit || mayRemove) && (
          <span className={styles.actions}>
            {mayEdit && (
              <PanelButton
                icon={Pencil}
                label={t('chat.edit')}
                onClick={() => setEdited({ id: message_id, typed: null })}
                iconOnly
              />
            )}
            {mayRemove && (
              <PanelButton
                icon={Trash2}
                label={t('chat.delete')}
                onClick={() => setDeleted(message_id)}
                iconOnly
              />
            )}
          </span>
        )
      )
    },
    renderForm: ({ message_id, text, file, deleted: isDeleted }) =>
      message_id === edited?.id && !isDeleted ? (
        <EditForm
          text={text}
          hasFile={file !== undefined}
          typed={edited.typed}
          onType={typed => setEdited({ id: message_id, typed })}
          save={changed => edit(message_id, changed)}
          describe={describe}
          onClose={() => setEdited(null)}
        />
      ) : null,
    dialog: (
      <>
        <p role="alert" className={failure ? styles.failure : undefined}>
          {failure}
        </p>
        {deleted !== null && (
          <ConfirmDialog
            question={t('chat.deleteConfirm')}
            verb={t('chat.deleteVerb')}
            cancel={t('room.cancel')}
            danger
            onConfirm={() => void run(() => remove(deleted))}
            onClose={() => setDeleted(null)}
          />
        )}
      </>
    ),
  }
}
