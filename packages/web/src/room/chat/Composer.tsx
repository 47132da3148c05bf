import { Send } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react'
import type { Call } from '../../call/call.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import styles from './Composer.module.css'
import { chatViewStateOf } from './chat-view-state.ts'
import { charactersLeft, isNearLimit, readMessage, sends } from '../../chat/composing.ts'

interface Props {
  call: Call
  /** This user may not send now; the draft stays. */
  closed: boolean
}

export function Composer({ call, closed }: Props) {
  const { t } = useTexts()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { draft } = chatViewStateOf(call)
  const typed = useValue(draft)
  const left = charactersLeft(typed)
  const text = closed ? null : readMessage(typed)

  // Typing can start at once; an on-screen keyboard would cover the messages.
  useEffect(() => {
    if (!isTouchKeyboard()) field.current?.focus({ preventScroll: true })
  }, [])

  const send = () => {
    field.current?.focus()
    if (text === null) return
    call.chat.send(text)
    draft.write('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const press = (event: KeyboardEvent) => {
    if (!sends({ ...keyOf(event), isComposing: event.nativeEvent.isComposing }, isTouchKeyboard())) return
    event.preventDefault()
    send()
  }

  return (
    <form className={styles.composer} onSubmit={submit}>
      <label className="visually-hidden" htmlFor={id}>
        {t('chat.write')}
      </label>
      {/* The hidden copy gives the field the height of its content. */}
      <div className={styles.grow} data-text={`${typed} `}>
        <textarea
          ref={field}
          id={id}
          className={styles.field}
          rows={1}
          value={typed}
          placeholder={closed ? '' : t('chat.write')}
          // Not `disabled`: that would remove the focus while typing.
          readOnly={closed}
          aria-disabled={closed}
          aria-invalid={left < 0}
          aria-describedby={isNearLimit(left) ? `${id}-left` : undefined}
          dir="auto"
          onChange={({ target }) => {
            draft.write(target.value)
            if (target.value !== '') call.typing.notify()
          }}
          onKeyDown={press}
        />
      </div>
      <button
        type="submit"
        className={styles.send}
        aria-disabled={text === null}
        aria-label={t('chat.send')}
        title={t('chat.send')}
      >
        <Send aria-hidden="true" />
      </button>
      {isNearLimit(left) && (
        <p id={`${id}-left`} className={left < 0 ? styles.over : styles.left}>
          {left < 0 ? t('chat.tooLong', { number: -left }) : t('chat.left', { number: left })}
        </p>
      )}
    </form>
  )
}

const keyOf = ({ key, shiftKey }: KeyboardEvent) => ({ key, shiftKey })

/** Read on each key press: a keyboard may be plugged in meanwhile. */
const isTouchKeyboard = () => matchMedia('(pointer: coarse)').matches
