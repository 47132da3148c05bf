import { Smile } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './EmojiPicker.module.css'

/** Screen readers know the names of emoji in the user's language. */
const EMOJI = [
  ...['😀', '😄', '😂', '🙂', '😉', '😊', '😍', '😘'],
  ...['😎', '🤔', '😐', '🙄', '😴', '😕', '😢', '😭'],
  ...['😮', '😱', '😡', '🤯', '🥳', '🤗', '🤝', '🙏'],
  ...['👍', '👎', '👌', '👏', '💪', '👋', '✌️', '🤞'],
  ...['❤️', '💔', '🔥', '✨', '⭐', '🎉', '🎁', '🎂'],
  ...['☕', '🍕', '🌞', '🌧️', '🚀', '🚗', '🏠', '⏰'],
  ...['✅', '❌', '❓', '❗', '💡', '📌', '📎', '📅'],
]
const COLUMNS = 8
const MOVES: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }

/** A button that opens a small choice of emoji. Arrow keys move in it, Escape closes it. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTexts()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen) container.current?.querySelectorAll<HTMLElement>('[data-emoji]')[active]?.focus()
  }, [isOpen, active])

  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node) || !container.current?.contains(relatedTarget)) setOpen(false)
  }
  const press = (event: KeyboardEvent) => {
    if (!isOpen) return
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const move =
      (MOVES[event.key] ?? 0) * (isRtl && event.key !== 'ArrowUp' && event.key !== 'ArrowDown' ? -1 : 1)
    if (event.key === 'Escape') {
      event.stopPropagation()
      setOpen(false)
      button.current?.focus()
    } else if (move !== 0) {
      event.preventDefault()
      if (EMOJI[active + move] !== undefined) setActive(active + move)
    }
  }
  const pick = (emoji: string) => {
    setOpen(false)
    onPick(emoji)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it receives the events of the controls inside
    <div ref={container} onBlur={leave} onKeyDown={press}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={t('conversations.emoji')}
        title={t('conversations.emoji')}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Smile aria-hidden="true" />
      </button>
      {isOpen && (
        <section id={id} className={styles.choice} aria-label={t('conversations.emoji')}>
          {EMOJI.map((emoji, index) => (
            <button
              key={emoji}
              type="button"
              data-emoji
              className={styles.emoji}
              tabIndex={index === active ? 0 : -1}
              onFocus={() => setActive(index)}
              onClick={() => pick(emoji)}
            >
              {emoji}
            </button>
          ))}
        </section>
      )}
    </div>
  )
}
