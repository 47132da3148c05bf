import { RotateCw, X } from 'lucide-react'
import { formatSize } from '../../format-size.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { useRefusalText } from '../../uploads/use-refusal-text.ts'
import styles from './AttachmentList.module.css'
import type { Attachment } from './attachments.ts'

interface Props {
  attachments: readonly Attachment[]
  onRemove: (key: string) => void
}

/** The files of the next message, with the progress of their uploads, or why one has failed. */
export function AttachmentList({ attachments, onRemove }: Props) {
  const { t, locale } = useTexts()
  const textOf = useRefusalText()
  return (
    <ul className={styles.list} aria-label={t('chat.files.attached')}>
      {attachments.map(({ key, name, size, state }) => (
        <li key={key} className={styles.item}>
          <bdi className={styles.name}>{name}</bdi>
          <span className={styles.size}>{formatSize(size, locale)}</span>
          <PanelButton
            icon={X}
            label={
              state.is === 'uploading' ? t('chat.files.cancel', { name }) : t('chat.files.remove', { name })
            }
            onClick={() => onRemove(key)}
            iconOnly
          />
          {state.is === 'uploading' && (
            <progress
              className={styles.progress}
              value={state.share}
              aria-label={t('chat.files.uploading', { name })}
            />
          )}
          {state.is === 'failed' && (
            <p className={styles.failed} role="alert">
              {textOf(state.error)}
              {state.again && <PanelButton icon={RotateCw} label={t('upload.again')} onClick={state.again} />}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
