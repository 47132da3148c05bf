import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { SHORTCUTS } from '../bar/shortcuts.ts'
import styles from './ShortcutsDialog.module.css'

/** The list of shortcut keys. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  return (
    <Dialog title={t('menu.shortcuts')} onClose={onClose}>
      <dl className={styles.keys}>
        {SHORTCUTS.map(letter => {
          const name = letter === '?' ? 'help' : letter
          return (
            <div key={letter} className={styles.line}>
              <dt>
                <kbd className={styles.key}>{letter.toUpperCase()}</kbd>
              </dt>
              <dd>{t(`shortcuts.${name}`)}</dd>
            </div>
          )
        })}
        <div className={styles.line}>
          <dt>
            <kbd className={styles.key}>{t('shortcuts.spaceKey')}</kbd>
          </dt>
          <dd>{t('shortcuts.space')}</dd>
        </div>
        <div className={styles.line}>
          <dt>
            <kbd className={styles.key}>Esc</kbd>
          </dt>
          <dd>{t('shortcuts.escape')}</dd>
        </div>
      </dl>
      <p className={styles.note}>{t('shortcuts.note')}</p>
    </Dialog>
  )
}
