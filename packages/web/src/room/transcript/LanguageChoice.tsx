import { useId } from 'react'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import styles from './LanguageChoice.module.css'
import type { TranscriptionLanguage } from './transcription-language.ts'

/** The languages that can be transcribed, to see and to choose before the start. Nothing if they are unknown. */
export function LanguageChoice({ language }: { language: TranscriptionLanguage }) {
  const { t, locale } = useTexts()
  const id = useId()
  const chosen = useValue(language)
  if (chosen === null) return null
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  return (
    <p className={styles.line}>
      <label htmlFor={id}>{t('transcript.language')}</label>
      <select id={id} value={chosen} onChange={({ target }) => language.choose(target.value)}>
        {language.available.map(tag => (
          <option key={tag} value={tag}>
            {names.of(tag) ?? tag}
          </option>
        ))}
      </select>
    </p>
  )
}
