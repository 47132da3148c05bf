import { REACTIONS } from '@lectern/protocol/control/client'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Room } from '../room.ts'
import { EMOJI } from './emoji.ts'
import styles from './ReactionsDialog.module.css'

/** The choice of a reaction, which everybody sees for a few seconds. */
export function ReactionsDialog({ room: { call, dialogs } }: { room: Room }) {
  const { t } = useTexts()
  const close = () => dialogs.close('reactions')
  return (
    <Dialog title={t('reactions.title')} onClose={close}>
      <div className={styles.choice}>
        {REACTIONS.map(reaction => (
          <button
            key={reaction}
            type="button"
            className={styles.reaction}
            aria-label={t(`reactions.${reaction}`)}
            title={t(`reactions.${reaction}`)}
            onClick={() => {
              call.reactions.show(reaction)
              close()
            }}
          >
            {EMOJI[reaction]}
          </button>
        ))}
      </div>
    </Dialog>
  )
}
