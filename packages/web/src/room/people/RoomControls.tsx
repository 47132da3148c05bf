import { CircleStop, MicOff } from 'lucide-react'
import { useState } from 'react'
import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ConfirmDialog } from '../panel/ConfirmDialog.tsx'
import { PanelButton } from '../panel/PanelButton.tsx'
import { Switch } from '../panel/Switch.tsx'
import styles from './RoomControls.module.css'

interface Props {
  actions: Pick<Actions, 'muteAll' | 'setLock' | 'endForAll'>
  locked: boolean
  attempt: (act: () => Promise<unknown>) => void
}

/** For moderators: what concerns everybody. */
export function RoomControls({ actions, locked, attempt }: Props) {
  const { t } = useTexts()
  const [ending, setEnding] = useState(false)
  return (
    <div className={styles.controls}>
      <Switch label={t('people.lock')} on={locked} onChange={on => attempt(() => actions.setLock(on))} />
      <div className={styles.buttons}>
        <PanelButton
          icon={MicOff}
          label={t('people.muteAll')}
          onClick={() => attempt(() => actions.muteAll('audio'))}
        />
        <PanelButton icon={CircleStop} label={t('room.end')} onClick={() => setEnding(true)} grave />
      </div>
      {ending && (
        <ConfirmDialog
          question={t('room.endConfirm')}
          verb={t('room.end')}
          cancel={t('room.cancel')}
          onConfirm={() => attempt(actions.endForAll)}
          onClose={() => setEnding(false)}
        />
      )}
    </div>
  )
}
