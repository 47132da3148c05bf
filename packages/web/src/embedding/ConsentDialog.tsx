import { useTexts } from '../texts/use-texts.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useValue } from '../use-value.ts'
import type { Consent } from './consent.ts'

/** The question of the embedding page; declining is what Escape does, and what has the focus. */
export function ConsentDialog({ consent }: { consent: Consent }) {
  const { t } = useTexts()
  const question = useValue(consent)
  if (!question) return null
  const { kind, host } = question
  return (
    <ConfirmDialog
      key={kind}
      question={t(`embedding.ask.${kind}`, { host })}
      verb={t(`device.${kind}.turnOn`)}
      cancel={t('embedding.decline')}
      danger={false}
      onConfirm={consent.accept}
      onClose={consent.decline}
    />
  )
}
