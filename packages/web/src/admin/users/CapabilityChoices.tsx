import { useTexts } from '../../texts/use-texts.ts'
import { CAPABILITY_NAMES, useLabels } from '../parts/use-labels.ts'
import styles from './forms.module.css'

interface Props {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** The capabilities of an account beyond its own things. */
export function CapabilityChoices({ chosen, onChange }: Props) {
  const { t } = useTexts()
  const { capability } = useLabels()
  return (
    <fieldset className={styles.choices}>
      <legend>{t('admin.column.capabilities')}</legend>
      {CAPABILITY_NAMES.map(name => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter(each => each !== name))
            }
          />
          <span>
            {capability(name)} <code>{name}</code>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
