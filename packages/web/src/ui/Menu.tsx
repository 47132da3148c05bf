import { type LucideIcon, Menu as MenuIcon } from 'lucide-react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import styles from './Menu.module.css'

interface Props {
  label: string
  icon?: LucideIcon
  /** The place of the menu: below its button, or beside it, for a button at the lower start of the window. */
  placement?: 'below' | 'beside' | undefined
  /** Items that navigate or complete an action call `close`. */
  children: (close: () => void) => ReactNode
}

/** A menu button with its menu. Escape, a click elsewhere, and moving the focus out close it. */
export function Menu({ label, icon: Icon = MenuIcon, placement = 'below', children }: Props) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const press = ({ target }: PointerEvent) => {
      if (target instanceof Node && !container.current?.contains(target)) setOpen(false)
    }
    document.addEventListener('pointerdown', press)
    return () => document.removeEventListener('pointerdown', press)
  }, [isOpen])

  const leave = ({ relatedTarget }: FocusEvent) => {
    // Without a next element the window itself has lost the focus, or the click target is not focusable.
    if (relatedTarget instanceof Node && !container.current?.contains(relatedTarget)) setOpen(false)
  }
  const close = () => {
    setOpen(false)
    // The focused item disappears with the menu.
    if (container.current?.contains(document.activeElement)) button.current?.focus()
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it receives the events of the controls inside
    <div ref={container} className={styles.container} onBlur={leave} onKeyDown={closeByKey}>
      <button
        ref={button}
        type="button"
        className={styles.button}
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon aria-hidden="true" />
      </button>
      {isOpen && (
        <section id={id} className={placement === 'below' ? styles.below : styles.beside} aria-label={label}>
          {children(close)}
        </section>
      )}
    </div>
  )
}
