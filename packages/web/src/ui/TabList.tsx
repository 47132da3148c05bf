import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import styles from './TabList.module.css'
import { useLineScroll } from './use-line-scroll.ts'

interface Props<T extends string> {
  label: string
  /** The tabs have the ids `<id>-<value>`; they control `<id>-content`. */
  id: string
  tabs: readonly { value: T; content: ReactNode }[]
  selected: T
  className?: string | undefined
  onSelect: (value: T) => void
}

/**
 * Tabs, of which one is in the order of the Tab key. Arrow keys select, and keep the focus; a press gives it away. On a phone they
 * stay in one line, which scrolls where there are more than fit, with the selected one in view.
 */
export function TabList<T extends string>({ label, id, tabs, selected, className = '', onSelect }: Props<T>) {
  const list = useRef<HTMLDivElement>(null)
  useLineScroll(list, `[data-tab="${selected}"]`)
  const values = tabs.map(({ value }) => value)
  const onKey = (event: KeyboardEvent) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const next = nextTab(values, selected, event.key, isRtl)
    if (!next) return
    event.preventDefault()
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
    onSelect(next)
  }
  return (
    <div
      ref={list}
      role="tablist"
      className={`${styles.tabs} ${className}`}
      aria-label={label}
      onKeyDown={onKey}
    >
      {tabs.map(({ value, content }) => (
        <button
          key={value}
          type="button"
          role="tab"
          id={`${id}-${value}`}
          className={styles.tab}
          data-tab={value}
          aria-selected={value === selected}
          aria-controls={value === selected ? `${id}-content` : undefined}
          tabIndex={value === selected ? 0 : -1}
          onClick={({ detail, currentTarget }) => {
            if (detail > 0 && value !== selected) currentTarget.blur()
            onSelect(value)
          }}
        >
          {content}
        </button>
      ))}
    </div>
  )
}

function nextTab<T extends string>(tabs: readonly T[], tab: T, key: string, isRtl: boolean): T | undefined {
  const step = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[key]
  if (step) return tabs.at((tabs.indexOf(tab) + step) % tabs.length)
  return { Home: tabs[0], End: tabs.at(-1) }[key]
}
