import { ArrowDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useFocusRetention } from '../../ui/use-focus-retention.ts'
import type { FileAccess } from '../../uploads/files.ts'
import { dropTarget } from '../files/file-transfer.ts'
import { MessageGroupItem } from '../MessageGroupItem.tsx'
import { type MessageGroup, withOwnGroup } from '../message-groups.ts'
import type { Outbox, PendingMessage } from '../outbox.ts'
import { PendingMessageItem } from '../PendingMessageItem.tsx'
import { type MessageEditor, useMessageEditing } from '../use-message-editing.tsx'
import styles from './MessageWindow.module.css'
import { type LogRange, useLogScroll } from './use-log-scroll.ts'

/** A list item: a group of messages, or a line between them. */
export type WindowRow = { key: string; group: MessageGroup } | { key: string; line: ReactNode }

interface Props {
  rows: readonly WindowRow[]
  range: LogRange
  /** Above the oldest message, such as a notice that there are older ones. */
  top: ReactNode
  /** In place of the messages where there are none. */
  empty: string
  pending: readonly PendingMessage[]
  outbox: Pick<Outbox, 'sendAgain' | 'discard'>
  reasonOf: (code: string) => string | null
  editor: MessageEditor
  /** Own messages can be edited. */
  isEditable?: boolean
  /** Which messages can be deleted; absent: own ones. */
  canDelete?: (isOwn: boolean) => boolean
  files: FileAccess
  /** Files were dropped. */
  onFiles?: ((files: Iterable<File>) => void) | undefined
  unread: number
  /** The newest message that is visible, whenever that changes. */
  onVisible: (messageId: string) => void
  noteOf?: (group: MessageGroup) => string | undefined
  formatTime?: (at: number) => string
}

/** The messages of a chat, delivered and pending: those around the visible ones, of a history of any length. */
export function MessageWindow({ rows, range, top, empty, pending, unread, onVisible, ...rest }: Props) {
  const { outbox, reasonOf, editor, isEditable = true, canDelete = isOwn => isOwn } = rest
  const { noteOf, formatTime, files, onFiles } = rest
  const { t } = useTexts()
  const scroll = useLogScroll({ range, sending: pending.length, onVisible })
  useFocusRetention(scroll.log)
  const editing = useMessageEditing(editor)
  const shown = pending.length > 0 && !range.hasNewer ? withOwnRow(rows) : rows
  const jump = async () => {
    await scroll.toEnd()
    scroll.log.current?.focus({ preventScroll: true })
  }

  return (
    <div className={styles.frame} {...(onFiles && dropTarget(onFiles))}>
      <section
        ref={scroll.log}
        className={styles.log}
        onScroll={scroll.onScroll}
        aria-label={t('chat.messages')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus.
        tabIndex={0}
      >
        {top && <div className={styles.top}>{top}</div>}
        {shown.length === 0 && <p className={styles.empty}>{empty}</p>}
        <ol className={styles.rows}>
          {shown.map(row =>
            'line' in row ? (
              <li key={row.key}>{row.line}</li>
            ) : (
              <MessageGroupItem
                key={row.key}
                group={row.group}
                note={noteOf?.(row.group)}
                formatTime={formatTime}
                files={files}
                renderActions={editing.actionsOf({
                  edit: isEditable && row.group.own,
                  remove: canDelete(row.group.own),
                })}
                {...(isEditable && row.group.own && { renderInstead: editing.renderForm })}
              >
                {row === shown.at(-1) &&
                  pending.map(each => (
                    <PendingMessageItem key={each.key} message={each} outbox={outbox} reasonOf={reasonOf} />
                  ))}
              </MessageGroupItem>
            ),
          )}
        </ol>
      </section>
      {!scroll.atEnd && (
        <button type="button" className={styles.jump} onClick={() => void jump()}>
          <ArrowDown aria-hidden="true" />
          {unread > 0 ? t('chat.new', { count: unread }) : t('chat.newest')}
        </button>
      )}
      {editing.dialog}
    </div>
  )
}

/** Ensures that the last row is a group of the user's own messages, to which pending messages are appended. */
function withOwnRow(rows: readonly WindowRow[]): readonly WindowRow[] {
  const last = rows.at(-1)
  const groups = withOwnGroup(last && 'group' in last ? [last.group] : [], Date.now())
  const own = groups.at(-1)
  const isLast = last && 'group' in last && last.group === own
  return isLast || !own ? rows : [...rows, { key: own.key, group: own }]
}
