import { useTexts } from '../../texts/use-texts.ts'
import { SHORTCUTS } from '../bar/shortcuts.ts'
import type { Room } from '../room.ts'
import styles from './KeysTab.module.css'
import { SettingSwitch } from './SettingSwitch.tsx'

/** The list of shortcut keys. Who speaks to the computer, or presses keys by accident, turns them off (WCAG 2.1.4). */
export function KeysTab({ room }: { room: Room }) {
  const { t } = useTexts()
  const lines = [
    ...SHORTCUTS.map(key => {
      const name = key === '?' ? 'help' : key === ',' ? 'settings' : key
      return [key.toUpperCase(), t(`shortcuts.${name}`)]
    }),
    [t('shortcuts.spaceKey'), t('shortcuts.space')],
    ['Esc', t('shortcuts.escape')],
  ]
  return (
    <>
      <div>
        <SettingSwitch label={t('roomSettings.shortcuts')} setting={room.shortcutKeys} />
        <SettingSwitch label={t('options.pushToTalk')} setting={room.pushToTalk.setting} />
      </div>
      <dl className={styles.keys}>
        {lines.map(([key, text]) => (
          <div key={key} className={styles.line}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>{t('shortcuts.note')}</p>
    </>
  )
}
