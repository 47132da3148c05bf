import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { homePath } from '../../address.ts'
import { usePhone } from '../../home/shell/use-phone.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { GROUP_NAMES, GROUPS, type SectionName } from '../section-names.ts'
import styles from './SectionNavigation.module.css'

/** The sections in groups: a list beside the page; on phones a button that opens it. `section`: null for the overview. */
export function SectionNavigation({ section }: { section: SectionName | null }) {
  const current = section ?? 'overview'
  const { t } = useTexts()
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
  return (
    <nav className={styles.navigation} aria-label={t('admin.navigation')} onKeyDown={closeByKey}>
      {isPhone && (
        <button
          ref={button}
          type="button"
          className={styles.button}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {t(`admin.sections.${current}`)}
          <ChevronDown aria-hidden="true" />
        </button>
      )}
      {(!isPhone || isOpen) && (
        <div id={id} className={styles.groups}>
          <ul>
            <SectionItem name="overview" current={current} onOpen={close} />
          </ul>
          {GROUP_NAMES.map(group => (
            <div key={group}>
              <p id={`${id}-${group}`} className={styles.group}>
                {t(`adminPages.groups.${group}`)}
              </p>
              <ul aria-labelledby={`${id}-${group}`}>
                {GROUPS[group].map(name => (
                  <SectionItem key={name} name={name} current={current} onOpen={close} />
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </nav>
  )
}

interface ItemProps {
  name: SectionName | 'overview'
  current: ItemProps['name']
  onOpen: () => void
}

function SectionItem({ name, current, onOpen }: ItemProps) {
  const { t } = useTexts()
  return (
    <li>
      <Link
        href={name === 'overview' ? homePath('admin') : homePath('admin', name)}
        aria-current={current === name ? 'page' : undefined}
        onClick={onOpen}
      >
        {t(`admin.sections.${name}`)}
      </Link>
    </li>
  )
}
