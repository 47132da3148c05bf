import { CloudOff, Hourglass, type LucideIcon, ServerCrash } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { clock } from '../time/clock.ts'
import { describeCountdown } from '../time/format.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { useValue } from '../use-value.ts'
import type { Trouble } from './resolve.ts'
import styles from './TroubleMessage.module.css'

const icons: Record<Trouble, LucideIcon> = {
  unreachable: CloudOff,
  failing: ServerCrash,
  rate_limited: Hourglass,
}

interface Props {
  trouble: Trouble
  /** Time of the next attempt; null while one is in progress. */
  until: number | null
  onRetry: () => void
}

export function TroubleMessage({ trouble, until, onRetry }: Props) {
  const { t } = useTexts()
  return (
    <Message icon={icons[trouble]} title={t(`trouble.${trouble}.title`)} text={t(`trouble.${trouble}.text`)}>
      <p className={styles.next}>{until === null ? t('trouble.now') : <Countdown until={until} />}</p>
      {/* The server has set the time; an earlier request would only postpone it. */}
      {trouble !== 'rate_limited' && (
        <Button onClick={onRetry} busy={until === null}>
          {t('trouble.again')}
        </Button>
      )}
    </Message>
  )
}

function Countdown({ until }: { until: number }) {
  const { t, locale } = useTexts()
  const now = useValue(clock)
  return t('trouble.next', { when: describeCountdown(until, now, { locale }) })
}
