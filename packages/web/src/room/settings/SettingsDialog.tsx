import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { isTouchKeyboard } from '../../ui/touch-keyboard.ts'
import { SETTINGS, type SettingsTab } from '../dialogs.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import styles from './SettingsDialog.module.css'
import { TabContent } from './TabContent.tsx'

interface Props {
  tab: SettingsTab
  room: Room
  joined: JoinedState
}

/** What participants set for themselves; the others do not notice. Arrow keys change the tab. */
export function SettingsDialog({ tab, room, joined }: Props) {
  const { t } = useTexts()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => list.current?.querySelector<HTMLElement>(`[data-tab=${tab}]`)?.focus(), [tab])
  // A phone has no keys.
  const tabs = SETTINGS.filter(each => each !== 'keys' || !isTouchKeyboard())
  const onKey = (event: KeyboardEvent) => {
    const next = nextTab(tabs, tab, event.key, getComputedStyle(event.currentTarget).direction === 'rtl')
    if (!next) return
    event.preventDefault()
    room.dialogs.show(next)
  }
  return (
    <Dialog title={t('prejoin.options')} onClose={() => room.dialogs.close(tab)}>
      <div
        ref={list}
        role="tablist"
        className={styles.tabs}
        aria-label={t('prejoin.options')}
        onKeyDown={onKey}
      >
        {tabs.map(each => (
          <button
            key={each}
            type="button"
            role="tab"
            id={`${id}-${each}`}
            className={styles.tab}
            data-tab={each}
            aria-selected={each === tab}
            aria-controls={`${id}-content`}
            tabIndex={each === tab ? 0 : -1}
            onClick={() => room.dialogs.show(each)}
          >
            {t(`roomSettings.tabs.${each}`)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-content`} className={styles.content} aria-labelledby={`${id}-${tab}`}>
        <TabContent tab={tab} room={room} joined={joined} />
      </div>
    </Dialog>
  )
}

function nextTab(tabs: readonly SettingsTab[], tab: SettingsTab, key: string, isRtl: boolean) {
  const step = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }[key]
  if (step) return tabs.at((tabs.indexOf(tab) + step) % tabs.length)
  return { Home: tabs[0], End: tabs.at(-1) }[key]
}
