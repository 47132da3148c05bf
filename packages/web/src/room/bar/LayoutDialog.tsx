import { useEffect, useId, useRef } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useValue } from '../../use-value.ts'
import { useModeratorTerm } from '../moderator-term.ts'
import type { Room } from '../room.ts'
import { LAYOUTS } from '../stage/selection/layout.ts'
import styles from './LayoutDialog.module.css'
import { LayoutPicture } from './LayoutPicture.tsx'

/** The choice of this viewer's layout; the others do not notice. Arrow keys choose at once. */
export function LayoutDialog({ room }: { room: Room }) {
  const { t } = useTexts()
  const moderator = useModeratorTerm()
  const name = useId()
  const { dialogs, layout, ownView } = room
  const chosen = useValue(layout)
  const choice = useRef<HTMLFieldSetElement>(null)
  useEffect(() => choice.current?.querySelector<HTMLElement>(':checked')?.focus(), [])
  return (
    <Dialog title={t('stage.layout.title')} onClose={() => dialogs.close('layout')}>
      <fieldset ref={choice} className={styles.choice}>
        <legend className="visually-hidden">{t('stage.layout.title')}</legend>
        {LAYOUTS.map(each => (
          <label key={each} className={styles.option}>
            <input
              type="radio"
              className={styles.input}
              name={name}
              checked={each === chosen}
              onChange={() => layout.choose(each)}
            />
            <LayoutPicture layout={each} />
            <span className={styles.words}>
              <span className={styles.name}>{t(`stage.layout.${each}`)}</span>
              <span className={styles.text}>{t(`stage.layout.${each}Text`, moderator)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Switch label={t('stage.ownView')} on={useValue(ownView)} onChange={ownView.show} />
    </Dialog>
  )
}
