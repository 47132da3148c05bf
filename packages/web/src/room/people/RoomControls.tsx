import type { SessionView } from '@lectern/control-client'
import { ChevronRight, Hand, MicOff } from 'lucide-react'
import { useState } from 'react'
import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import styles from './RoomControls.module.css'

interface Props {
  actions: Pick<Actions, 'lowerAllHands' | 'muteAll' | 'setLock' | 'setPermissions'>
  session: Pick<SessionView, 'locked' | 'participants' | 'permissions'>
  attempt: (act: () => Promise<unknown>) => void
}

/** There the switches would leave no space for the list of people. */
const PHONE = '(max-width: 44rem)'

const SOURCES = ['microphone', 'camera', 'screen'] as const

/** For moderators: controls that concern everybody. The end for everybody is beside *Leave*. */
export function RoomControls({ actions, session, attempt }: Props) {
  const { t } = useTexts()
  const [startsOpen] = useState(() => !matchMedia(PHONE).matches)
  const { locked, participants, permissions } = session
  const isAnyHandUp = participants.some(each => each.hand_raised_at_ms !== null)
  return (
    <div className={styles.controls}>
      <Switch label={t('people.lock')} on={locked} onChange={on => attempt(() => actions.setLock(on))} />
      <details className={styles.permissions} open={startsOpen}>
        <summary className={styles.legend}>
          <ChevronRight aria-hidden="true" />
          {t('moderation.permissions')}
        </summary>
        {SOURCES.map(source => (
          <Switch
            key={source}
            label={t(`moderation.everybody.${source}`)}
            on={permissions[source]}
            onChange={on => attempt(() => actions.setPermissions({ [source]: on }))}
          />
        ))}
      </details>
      <div className={styles.buttons}>
        <PanelButton
          icon={MicOff}
          label={t('people.muteAll')}
          onClick={() => attempt(() => actions.muteAll('audio'))}
        />
        {isAnyHandUp && (
          <PanelButton
            icon={Hand}
            label={t('moderation.lowerAllHands')}
            onClick={() => attempt(actions.lowerAllHands)}
          />
        )}
      </div>
    </div>
  )
}
