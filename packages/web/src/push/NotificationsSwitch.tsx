import { useId } from 'react'
import { useConnection } from '../account-connection/use-connection.ts'
import { useTexts } from '../texts/use-texts.ts'
import { useValue } from '../use-value.ts'
import styles from './NotificationsSwitch.module.css'
import { pushOf } from './start-push.ts'

/** Turns the notifications of this browser on and off, or says why there are none. */
export function NotificationsSwitch() {
  const { t } = useTexts()
  const push = pushOf(useConnection())
  const state = useValue(push)
  const id = useId()
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
        <>
          <p className={styles.choice}>
            <input
              id={id}
              type="checkbox"
              checked={isOn}
              onChange={({ target }) => change(target.checked)}
              aria-describedby={`${id}-hint`}
            />
            <label htmlFor={id}>{t('push.switch')}</label>
          </p>
          <p id={`${id}-hint`} className={styles.text}>
            {t('push.hint')}
          </p>
          {state.is !== 'changing' && state.failed && (
            <p role="alert" className={styles.failure}>
              {isOn ? t('push.notOff') : t('push.failed')}
            </p>
          )}
        </>
      )
    }
  }
}
