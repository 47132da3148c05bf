import { THEMES } from '../preferences/theme.ts'
import { LANGUAGES, type LanguageName } from '../texts/languages.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Segments } from '../ui/Segments.tsx'
import { Select } from '../ui/Select.tsx'
import { useValue } from '../use-value.ts'
import { useSite } from './use-site.ts'

/** Each language by its own name, so that its speakers recognise it. */
const languages = (Object.keys(LANGUAGES) as LanguageName[]).map(value => ({
  value,
  label: LANGUAGES[value],
  lang: value,
}))

export function PreferenceChoices() {
  const { t } = useTexts()
  const { theme, language } = useSite()
  return (
    <>
      <Segments
        legend={t('menu.theme')}
        options={THEMES.map(value => ({ value, label: t(`menu.themes.${value}`) }))}
        value={useValue(theme)}
        onChange={theme.choose}
      />
      <Select
        label={t('menu.language')}
        options={languages}
        value={useValue(language)}
        onChange={name => void language.choose(name)}
      />
    </>
  )
}
