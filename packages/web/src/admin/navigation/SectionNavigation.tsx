import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { usePhone } from '../../home/shell/use-phone.ts'
import { Link } from '../../site/Link.tsx'
import styles from './SectionNavigation.module.css'

interface Item {
  key: string
  label: string
  href: string
}

interface Props {
  /** The name of the navigation. */
  label: string
  /** The key of the present section. */
  current: string
  groups: readonly { name: string | null; items: readonly Item[] }[]
}

/** Sections in groups: a list beside the page; on phones a button that opens it. */
export function SectionNavigation({ label, current, groups }: Props) {
  const isPhone = usePhone()
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const closeByKey = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return
    close()
    button.current?.focus()
  }
  const shown = groups.flatMap(({ items }) => items).find(({ key }) => key === current)
  return (
    <nav className={styles.navigation} aria-label={label} onKeyDown={closeByKey}>
      {isPhone && (
        <button
          ref={button}
          type="button"
          className={styles.button}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {shown?.label}
          <ChevronDown aria-hidden="true" />
        </button>
      )}
      {(!isPhone || isOpen) && (
        <div id={id} className={styles.groups}>
          {groups.map(({ name, items }, index) => (
            <div key={name}>
              {name !== null && (
                <p id={`${id}-${index}`} className={styles.group}>
                  {name}
                </p>
              )}
              <ul aria-labelledby={name === null ? undefined : `${id}-${index}`}>
                {items.map(({ key, label: text, href }) => (
                  <li key={key}>
                    <Link href={href} aria-current={current === key ? 'page' : undefined} onClick={close}>
                      {text}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </nav>
  )
}
