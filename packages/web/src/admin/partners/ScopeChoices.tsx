import { useTexts } from '../../texts/use-texts.ts'
import styles from '../users/forms.module.css'

/** Equal to SCOPES of the protocol, whose schemas are not for pages. */
export const SCOPES = ['integration:rooms', 'blob'] as const

interface Props {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** The scopes of a service account. */
export function ScopeChoices({ chosen, onChange }: Props) {
  const { t } = useTexts()
  return (
    <fieldset className={styles.choices}>
      <legend>{t('admin.column.scopes')}</legend>
      {SCOPES.map(scope => (
        <label key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, scope] : chosen.filter(each => each !== scope))
            }
          />
          <code>{scope}</code>
        </label>
      ))}
    </fieldset>
  )
}
