import { KeyRound, type LucideIcon, Mic, UserRound } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import styles from './SettingsGroups.module.css'

const icons = { account: UserRound, devices: Mic, security: KeyRound } satisfies Record<string, LucideIcon>
const NAMES = ['account', 'devices', 'security'] as const

/** The settings in groups, and a list that leads to each of them. */
export function SettingsGroups({ groups }: { groups: Record<(typeof NAMES)[number], ReactNode> }) {
  const { t } = useTexts()
  const id = useId()
  const show = (name: string) => {
    const group = document.getElementById(`${id}${name}`)
    group?.scrollIntoView()
    group?.focus({ preventScroll: true })
  }
  return (
    <div className={styles.page}>
      <nav className={styles.navigation} aria-label={t('home.pages.settings')}>
        <ul className={styles.list}>
          {NAMES.map(name => {
            const Icon = icons[name]
            return (
              <li key={name}>
                <button type="button" className={styles.entry} onClick={() => show(name)}>
                  <Icon aria-hidden="true" />
                  {t(`settings.groups.${name}`)}
                </button>
              </li>
            )
          })}
        </ul>
      </nav>
      <div className={styles.groups}>
        {NAMES.map(name => (
          // biome-ignore lint/a11y/useSemanticElements: its sections have headings of their own
          <div
            key={name}
            id={`${id}${name}`}
            className={styles.group}
            role="group"
            aria-label={t(`settings.groups.${name}`)}
            tabIndex={-1}
          >
            {groups[name]}
          </div>
        ))}
      </div>
    </div>
  )
}
