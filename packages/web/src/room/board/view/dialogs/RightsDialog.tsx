import type { BoardIndex } from '@lectern/protocol/control/client'
import { useId } from 'react'
import { useTexts } from '../../../../texts/use-texts.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { useModeratorTerm } from '../../../moderator-term.ts'
import styles from './Dialogs.module.css'
import type { BoardDialogProps } from './props.ts'

const MODES = ['everybody', 'chosen', 'moderators', 'nobody'] as const

/**
 * The right to draw on the pages of the lesson, and whether others may turn them for themselves. After a failure it
 * stays as it is.
 */
export function RightsDialog({ board, joined, state, onClose }: BoardDialogProps) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const name = useId()
  const { mode, user_ids = [], look_around = true } = state.rights
  const set = (rights: BoardIndex['rights']) => void board.setRights(rights).catch(() => {})
  const people = new Map(
    joined.session.participants
      .filter(each => each.role !== 'moderator')
      .map(each => [each.user_id, each.display_name]),
  )
  return (
    <Dialog title={t('board.rights.title')} onClose={onClose}>
      <fieldset className={styles.list}>
        <legend className="visually-hidden">{t('board.rights.title')}</legend>
        {MODES.map(each => (
          <label key={each} className={styles.option}>
            <input
              type="radio"
              name={name}
              checked={each === mode}
              onChange={() => set({ mode: each, ...(each === 'chosen' && { user_ids }) })}
            />
            {t(`board.rights.${each}`, moderator)}
          </label>
        ))}
      </fieldset>
      {mode === 'chosen' && (
        <fieldset className={styles.list}>
          <legend>{t('board.rights.who')}</legend>
          {[...people].map(([id, displayName]) => {
            const isChosen = user_ids.includes(id)
            const others = user_ids.filter(each => each !== id)
            return (
              <label key={id} className={styles.option}>
                <input
                  type="checkbox"
                  checked={isChosen}
                  onChange={() => set({ mode: 'chosen', user_ids: isChosen ? others : [...others, id] })}
                />
                {displayName}
              </label>
            )
          })}
          {people.size === 0 && <p className={styles.empty}>{t('board.rights.nobodyHere')}</p>}
        </fieldset>
      )}
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={look_around}
          onChange={() => set({ ...state.rights, look_around: !look_around })}
        />
        {t('board.rights.lookAround')}
      </label>
    </Dialog>
  )
}
