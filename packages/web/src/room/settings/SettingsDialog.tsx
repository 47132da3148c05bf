import { useEffect, useId, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { TabList } from '../../ui/TabList.tsx'
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

/** The settings of participants for themselves; the others do not notice. Arrow keys change the tab. */
export function SettingsDialog({ tab, room, joined }: Props) {
  const { t } = useTexts()
  const id = useId()
  const header = useRef<HTMLDivElement>(null)
  useEffect(() => header.current?.querySelector<HTMLElement>(`[data-tab=${tab}]`)?.focus(), [tab])
  // A phone has no keys.
  const tabs = SETTINGS.filter(each => each !== 'keys' || !isTouchKeyboard())
  return (
    <Dialog title={t('prejoin.options')} onClose={() => room.dialogs.close(tab)}>
      <div ref={header} className={styles.tabs}>
        <TabList
          label={t('prejoin.options')}
          id={id}
          tabs={tabs.map(value => ({ value, content: t(`roomSettings.tabs.${value}`) }))}
          selected={tab}
          onSelect={room.dialogs.show}
        />
      </div>
      <div role="tabpanel" id={`${id}-content`} className={styles.content} aria-labelledby={`${id}-${tab}`}>
        <TabContent tab={tab} room={room} joined={joined} />
      </div>
    </Dialog>
  )
}
