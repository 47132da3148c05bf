import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { Arrivals } from './arrivals.ts'

/** Announces new messages to screen readers, without moving the focus. */
export function ArrivalAnnouncer({ arrivals }: { arrivals: Arrivals }) {
  const { t } = useTexts()
  return (
    <div role="log" aria-live="polite" aria-relevant="additions" className="visually-hidden">
      {useValue(arrivals).map(({ message_id, display_name, text, file }) => (
        <p key={message_id}>
          {t('chat.announce', { name: display_name || t('chat.nameless'), text: text || (file?.name ?? '') })}
        </p>
      ))}
    </div>
  )
}
