import { useEffect } from 'react'
import { documentTitle } from '../../site/document-title.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { Alerts } from './alerts.ts'

/** The title of a hidden tab says what has happened last. */
export function AlertTitle({ alerts }: { alerts: Alerts }) {
  const { t } = useTexts()
  const alert = useValue(alerts)
  const text = alert && t(`options.alert.${alert.is}`, { name: alert.name || t('people.nameless') })
  useEffect(() => {
    documentTitle.setNotice(text)
    return () => documentTitle.setNotice(null)
  }, [text])
  return null
}
