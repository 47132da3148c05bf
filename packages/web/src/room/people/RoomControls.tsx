import { MicOff } from 'lucide-react'
import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import styles from './RoomControls.module.css'

interface Props {
  actions: Pick<Actions, 'muteAll' | 'setLock'>
  locked: boolean
  attempt: (act: () => Promise<unknown>) => void
}

/** For moderators: controls that concern everybody. "End for all" is in the control bar. */
export function RoomControls({ actions, locked, attempt }: Props) {
  const { t } = useTexts()
  return (
    <div className={styles.controls}>
      <Switch label={t('people.lock')} on={locked} onChange={on => attempt(() => actions.setLock(on))} />
      <div className={styles.buttons}>
        <PanelButton
          icon={MicOff}
          label={t('people.muteAll')}
          onClick={() => attempt(() => actions.muteAll('audio'))}
        />
      </div>
    </div>
  )
}
