import { useTranslation } from 'react-i18next'

/** The texts, the locale for Intl, and the catalogue, to which parts can be added. */
export function useTexts() {
  const { t, i18n } = useTranslation()
  return { t, locale: i18n.language, texts: i18n }
}
