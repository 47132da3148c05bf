import { Hand } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { PanelButton } from '../../ui/PanelButton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import { useAttempt } from '../panel/use-attempt.ts'
import type { Room } from '../room.ts'
import styles from './ClassDialog.module.css'

const SOURCES = ['microphone', 'camera', 'screen'] as const

/** For moderators: what everybody may do. */
export function ClassDialog({ room, joined: { session } }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const { failed, attempt } = useAttempt()
  const { actions, board } = room.call
  const rights = useValue(board)?.rights
  const isAnyHandUp = session.participants.some(each => each.hand_raised_at_ms !== null)
  return (
    <Dialog title={t('people.manage', moderator)} onClose={() => room.dialogs.close('class')}>
      <fieldset className={styles.rules}>
        <legend className={styles.legend}>{t('moderation.permissions')}</legend>
        {SOURCES.map(source => (
          <Switch
            key={source}
            label={t(`moderation.everybody.${source}`)}
            on={session.permissions[source]}
            onChange={on => attempt(() => actions.setPermissions({ [source]: on }))}
          />
        ))}
        {rights && (
          <Switch
            label={t('moderation.everybody.draw')}
            on={rights.mode === 'everybody'}
            onChange={on =>
              attempt(() =>
                board.command('board.set_rights', {
                  look_around: rights.look_around ?? true,
                  mode: on ? 'everybody' : 'moderators',
                }),
              )
            }
          />
        )}
        {room.features.chat && (
          <Switch
            label={t('moderation.everybody.chat')}
            on={session.chat_mode === 'open'}
            onChange={on => attempt(() => actions.setChatMode(on ? 'open' : 'read_only'))}
          />
        )}
        {room.features.chat && (
          <Switch
            label={t('moderation.everybody.files')}
            on={session.permissions.files !== false}
            onChange={on => attempt(() => actions.setPermissions({ files: on }))}
          />
        )}
      </fieldset>
      <Switch
        label={t('people.lock', moderator)}
        on={session.locked}
        onChange={on => attempt(() => actions.setLock(on))}
      />
      {isAnyHandUp && (
        <PanelButton
          icon={Hand}
          label={t('moderation.lowerAllHands')}
          onClick={() => attempt(actions.lowerAllHands)}
        />
      )}
      <p className={styles.failed} role="alert">
        {failed && t('people.notDone')}
      </p>
    </Dialog>
  )
}
