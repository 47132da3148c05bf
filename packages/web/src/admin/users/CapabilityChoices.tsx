import { useTexts } from '../../texts/use-texts.ts'
import styles from './forms.module.css'

const KEYS = {
  admin: 'admin',
  'recordings.access': 'recordings',
  'jobs.recorder': 'recorder',
  'jobs.transcriber': 'transcriber',
} as const
const CAPABILITIES = Object.keys(KEYS) as (keyof typeof KEYS)[]

interface Props {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

/** What an account may do beyond its own things. */
export function CapabilityChoices({ chosen, onChange }: Props) {
  const { t } = useTexts()
  return (
    <fieldset className={styles.choices}>
      <legend>{t('admin.column.capabilities')}</legend>
      {CAPABILITIES.map(name => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter(each => each !== name))
            }
          />
          <span>
            {t(`admin.users.capability.${KEYS[name]}`)} <code>{name}</code>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
