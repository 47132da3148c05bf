import { useTranslation } from 'react-i18next'

/** The texts, and the locale for Intl. */
export function useTexts() {
  const { t, i18n } = useTranslation()
  return { t, locale: i18n.language }
}
