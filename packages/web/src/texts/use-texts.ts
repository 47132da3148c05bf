import { useTranslation } from 'react-i18next'

/** The texts, and the locale for whatever Intl writes. */
export function useTexts() {
  const { t, i18n } = useTranslation()
  return { t, locale: i18n.language }
}
