import { useConnection } from '../account-connection/use-connection.ts'
import { Switch } from '../room/panel/Switch.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import styles from './NotificationsSwitch.module.css'
import { pushOf } from './start-push.ts'

/** Turns the notifications of this browser on and off, or says why there are none. */
export function NotificationsSwitch() {
  const { t } = useTexts()
  const push = pushOf(useConnection())
  const state = useValue(push)
  switch (state.is) {
    case 'checking':
      return <p className={styles.text}>{t('push.checking')}</p>
    case 'unavailable':
      return <p className={styles.text}>{t(`push.unavailable.${state.why}`)}</p>
    case 'blocked':
      return <p className={styles.text}>{t('push.blocked')}</p>
    default: {
      const isOn = state.is === 'on' || (state.is === 'changing' && state.to === 'on')
      const change = (on: boolean) => {
        if (state.is !== 'changing') void (on ? push.turnOn() : push.turnOff())
      }
      return (
        <div className={styles.switch}>
          <Switch label={t('push.switch')} on={isOn} onChange={change} />
          {state.is === 'off' && state.failed && (
            <p role="alert" className={styles.failure}>
              {t('push.failed')}
            </p>
          )}
        </div>
      )
    }
  }
}
