import type { Actions } from '../../call/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Switch } from '../../ui/Switch.tsx'
import { useModeratorTerm } from '../moderator-term.ts'
import { useAttempt } from '../panel/use-attempt.ts'
import styles from './ModeSwitch.module.css'

/** For moderators: who may send messages. */
export function ModeSwitch({ readOnly, setMode }: { readOnly: boolean; setMode: Actions['setChatMode'] }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { failed, attempt } = useAttempt()
  return (
    <div className={styles.mode}>
      <Switch
        label={t('chat.onlyModerators', moderator)}
        on={readOnly}
        onChange={on => attempt(() => setMode(on ? 'read_only' : 'open'))}
      />
      <p className={styles.failed} role="alert">
        {failed && t('chat.notDone')}
      </p>
    </div>
  )
}
