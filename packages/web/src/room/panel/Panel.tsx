import { X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { TabList } from '../../ui/TabList.tsx'
import { useFocusRetention } from '../../ui/use-focus-retention.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Panel as PanelName } from '../panels.ts'
import type { Room } from '../room.ts'
import { SheetHandle } from '../sheet/SheetHandle.tsx'
import type { SheetSize } from '../sheet/sheet-size.ts'
import styles from './Panel.module.css'
import { PANEL_TABS } from './panel-tabs.tsx'

interface Props {
  room: Room
  joined: JoinedState
  /** The open tab. */
  tab: PanelName
}

/**
 * The panel beside the stage, in tabs; on phones a sheet below it. Escape closes it, wherever the focus is. Opening it
 * moves the focus into it, closing it moves the focus back, unless that is elsewhere.
 */
export function Panel({ room, joined, tab }: Props) {
  const { t } = useTexts()
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  const [opener] = useState(() => document.activeElement)
  const [size, setSize] = useState<SheetSize>('half')
  useFocusRetention(panel)
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when a key or a button of the bar opens another tab
  useEffect(() => {
    const { current } = panel
    // A child may have taken the focus already.
    if (!current?.contains(document.activeElement)) current?.focus()
  }, [tab])

  const close = () => {
    const { activeElement } = document
    const isElsewhere = activeElement !== document.body && !panel.current?.contains(activeElement)
    if (!isElsewhere && opener instanceof HTMLElement) opener.focus()
    room.panels.close()
  }
  useEffect(() => {
    const closeByKey = (event: KeyboardEvent) => {
      // Something else has handled the key, such as a form that was cancelled; a dialog is closed first.
      const isHandled = event.defaultPrevented || document.querySelector('dialog[open]') !== null
      if (event.key === 'Escape' && !isHandled && !event.isComposing) close()
    }
    document.addEventListener('keydown', closeByKey)
    return () => document.removeEventListener('keydown', closeByKey)
  })
  // The first file of the chat brings a tab.
  useValue(room.call.chat)
  const names = Object.keys(PANEL_TABS) as PanelName[]
  const shown = names.filter(name => name === tab || PANEL_TABS[name].isOffered({ room, joined }))
  const { Content, closeLabel } = PANEL_TABS[tab]
  return (
    <aside className={styles.place} data-size={size}>
      <section ref={panel} className={styles.panel} aria-labelledby={`${id}-${tab}`} tabIndex={-1}>
        <SheetHandle sheet={panel} size={size} onResize={setSize} onClose={close} />
        <header className={styles.header}>
          <TabList
            label={t('bar.panel')}
            id={id}
            className={styles.tabs}
            tabs={shown.map(value => ({
              value,
              content: <TabName key={value} name={value} room={room} joined={joined} />,
            }))}
            selected={tab}
            onSelect={room.panels.show}
          />
          <PanelButton icon={X} label={closeLabel(t)} onClick={close} iconOnly />
        </header>
        <div role="tabpanel" id={`${id}-content`} className={styles.content} aria-labelledby={`${id}-${tab}`}>
          <Content room={room} joined={joined} />
        </div>
      </section>
    </aside>
  )
}

function TabName({ name, room, joined }: { name: PanelName; room: Room; joined: JoinedState }) {
  const { t, locale } = useTexts()
  const count = PANEL_TABS[name].useCount({ room, joined })
  return (
    <>
      {PANEL_TABS[name].name(t)}
      {count !== null && <span>{count.toLocaleString(locale)}</span>}
    </>
  )
}
