import { House, LogOut } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { nameOf } from '../identity/account.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Menu } from '../ui/Menu.tsx'
import { MenuItem } from '../ui/MenuItem.tsx'
import { useValue } from '../use-value.ts'
import styles from './MainMenu.module.css'
import { PreferenceChoices } from './PreferenceChoices.tsx'
import { useSite } from './use-site.ts'

interface Props {
  /** Hides the link to the start page. */
  isAtStart?: boolean
  placement?: ComponentProps<typeof Menu>['placement']
  /** Additional items. */
  children?: (close: () => void) => ReactNode
}

/** Navigation, account and preferences. */
export function MainMenu({ isAtStart = false, placement, children }: Props) {
  const { t } = useTexts()
  const { account, go } = useSite()
  const state = useValue(account)
  return (
    <Menu label={t('menu.title')} placement={placement}>
      {close => (
        <>
          {state.is === 'in' && (
            <p className={styles.who}>
              <bdi className={styles.name}>{nameOf(state.user)}</bdi>
              <span className={styles.login}>{t('menu.signedIn', { login: state.user.login })}</span>
            </p>
          )}
          <PreferenceChoices />
          <div className={styles.items}>
            {children?.(close)}
            {!isAtStart && (
              <MenuItem icon={House} onClick={() => go('/')}>
                {t('menu.start')}
              </MenuItem>
            )}
            {state.is === 'in' && (
              <MenuItem
                icon={LogOut}
                onClick={() => {
                  close()
                  void account.signOut()
                }}
              >
                {t('menu.signOut')}
              </MenuItem>
            )}
          </div>
        </>
      )}
    </Menu>
  )
}
