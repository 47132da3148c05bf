import { Laptop, Smartphone } from 'lucide-react'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './SignInItem.module.css'
import type { SignIn } from './sign-ins.ts'

interface Props {
  signIn: SignIn
  when: (at: number) => string
  onEnd: () => void
}

const PHONES = ['Android', 'iOS']

/** One device: what it is, when it was used, and the button that signs it out. */
export function SignInItem({ signIn, when, onEnd }: Props) {
  const { t } = useTexts()
  const { browser, platform, createdAt, usedAt, isCurrent } = signIn
  const Icon = PHONES.includes(platform ?? '') ? Smartphone : Laptop
  const name = browser ?? t('settings.unknownBrowser')
  const device = platform === null ? name : t('settings.device', { browser: name, platform })
  return (
    <li className={styles.item}>
      <Icon className={styles.icon} aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.device}>{device}</p>
        {isCurrent ? (
          <p className={styles.current}>{t('settings.thisDevice')}</p>
        ) : (
          <p className={styles.time}>{t('settings.used', { when: when(usedAt) })}</p>
        )}
        <p className={styles.time}>{t('settings.since', { when: when(createdAt) })}</p>
      </div>
      {!isCurrent && (
        <Button secondary onClick={onEnd} label={t('settings.endNamed', { device, when: when(createdAt) })}>
          {t('settings.end')}
        </Button>
      )}
    </li>
  )
}
