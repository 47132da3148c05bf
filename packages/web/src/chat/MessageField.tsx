import { Observable } from '@lectern/common'
import { Check, Send } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../texts/use-texts.ts'
import { isTouchKeyboard } from '../ui/touch-keyboard.ts'
import { useValue } from '../use-value.ts'
import { charactersLeft, isComposing, isNearLimit, readMessage, sends } from './composing.ts'
import { AttachButton } from './files/AttachButton.tsx'
import { AttachmentList } from './files/AttachmentList.tsx'
import type { Attachment, Attachments } from './files/attachments.ts'
import { dropTarget, pasteFiles } from './files/file-transfer.ts'
import styles from './MessageField.module.css'

const NO_ATTACHMENTS = new Observable<readonly Attachment[]>([])

interface Props {
  value: string
  onChange: (text: string) => void
  onSend: (text: string) => void
  /** The files that are sent with the text; absent: no files. */
  attachments?: Attachments | undefined
  /** This user may not send now; the draft stays. */
  closed?: boolean
  /** The field edits a message that was sent before. */
  isEdit?: boolean
  /** A message with a file is edited. */
  mayBeEmpty?: boolean
  /** The form was open before, and something else has the focus meanwhile. */
  isResumed?: boolean
  /** Handles keys before the field does; `preventDefault` keeps them from it. */
  onKeyDown?: (event: KeyboardEvent) => void
  /** Buttons before the field, which may insert a text at the caret. */
  renderTools?: (insert: (text: string) => void) => ReactNode
}

/** The field in which messages are written, with its send button. */
export function MessageField(props: Props) {
  const {
    value,
    onChange,
    onSend,
    attachments,
    closed = false,
    isEdit = false,
    mayBeEmpty = false,
    onKeyDown,
    renderTools,
  } = props
  const { t } = useTexts()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [takesFocus] = useState(props.isResumed !== true)
  const left = charactersLeft(value)
  const attached = useValue(attachments ?? NO_ATTACHMENTS)
  const isUploading = attached.some(({ state }) => state.is === 'uploading')
  const hasFile = mayBeEmpty || attached.some(({ state }) => state.is === 'ready')
  // Only with a file the text may be empty.
  const written = hasFile && value.trim() === '' ? '' : readMessage(value)
  const text = closed || isUploading ? null : written
  const label = isEdit ? t('chat.edit') : t('chat.write')
  const Icon = isEdit ? Check : Send

  // Typing can start at once; an on-screen keyboard would cover the messages.
  useEffect(() => {
    const { current } = field
    if (!takesFocus) return
    if (!isEdit && (isTouchKeyboard() || isTab(document.activeElement))) return
    current?.focus({ preventScroll: true })
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [isEdit, takesFocus])

  const send = () => {
    field.current?.focus()
    if (text !== null) onSend(text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const press = (event: KeyboardEvent) => {
    onKeyDown?.(event)
    if (event.defaultPrevented) return
    if (!sends({ ...keyOf(event), isComposing: isComposing(event.nativeEvent) }, isTouchKeyboard())) return
    event.preventDefault()
    send()
  }
  const insert = (inserted: string) => {
    const { current } = field
    if (!current || closed) return
    current.focus()
    current.setRangeText(inserted, current.selectionStart, current.selectionEnd, 'end')
    onChange(current.value)
  }

  return (
    <form
      className={renderTools || attachments ? styles.withTools : styles.composer}
      onSubmit={submit}
      {...(attachments && dropTarget(attachments.add))}
    >
      {attached.length > 0 && attachments && (
        <AttachmentList attachments={attached} onRemove={attachments.remove} />
      )}
      {(renderTools || attachments) && (
        <div className={styles.tools}>
          {attachments && <AttachButton onFiles={attachments.add} />}
          {renderTools?.(insert)}
        </div>
      )}
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      {/* The hidden copy gives the field the height of its content. */}
      <div className={styles.grow} data-text={`${value} `}>
        <textarea
          ref={field}
          id={id}
          className={styles.field}
          rows={1}
          value={value}
          placeholder={closed ? '' : label}
          // Not `disabled`: that would remove the focus while typing.
          readOnly={closed}
          aria-disabled={closed}
          aria-invalid={left < 0}
          aria-describedby={isNearLimit(left) ? `${id}-left` : undefined}
          dir="auto"
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={press}
          onPaste={event => attachments && pasteFiles(event, attachments.add)}
        />
      </div>
      <button
        type="submit"
        className={styles.send}
        aria-disabled={text === null}
        aria-label={isEdit ? t('people.save') : t('chat.send')}
        title={isEdit ? t('people.save') : t('chat.send')}
      >
        <Icon aria-hidden="true" />
      </button>
      {isNearLimit(left) && (
        <p id={`${id}-left`} className={left < 0 ? styles.over : styles.left}>
          {left < 0 ? t('chat.tooLong', { count: -left }) : t('chat.left', { count: left })}
        </p>
      )}
    </form>
  )
}

/** A tab that a key has selected keeps the focus, so that the key can go on. */
const isTab = (element: Element | null) => element?.role === 'tab'

const keyOf = ({ key, shiftKey }: KeyboardEvent) => ({ key, shiftKey })
