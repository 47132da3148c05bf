import { CalendarClock, CloudOff, Hourglass, type LucideIcon, ServerCrash } from 'lucide-react'
import { useTexts } from '../texts/use-texts.ts'
import { clock } from '../time/clock.ts'
import { describeCountdown, describeWhen } from '../time/format.ts'
import { serverTime } from '../time/server-time.ts'
import { Button } from '../ui/Button.tsx'
import { Message } from '../ui/Message.tsx'
import { useValue } from '../use-value.ts'
import styles from './ProblemMessage.module.css'
import type { Problem } from './resolve.ts'

const icons: Record<Problem, LucideIcon> = {
  unreachable: CloudOff,
  failing: ServerCrash,
  rate_limited: Hourglass,
  not_open: CalendarClock,
}

interface Props {
  problem: Problem
  /** Time of the next attempt; null while one is in progress. */
  until: number | null
  onRetry: () => void
}

export function ProblemMessage({ problem, until, onRetry }: Props) {
  const { t } = useTexts()
  return (
    <Message icon={icons[problem]} title={t(`problem.${problem}.title`)} text={t(`problem.${problem}.text`)}>
      <p className={styles.next}>
        {until === null ? (
          t('problem.now')
        ) : problem === 'not_open' ? (
          <Opening at={until} />
        ) : (
          <Countdown until={until} />
        )}
      </p>
      {/* The server has set the time; an earlier request would only postpone it. */}
      {problem !== 'rate_limited' && problem !== 'not_open' && (
        <Button onClick={onRetry} busy={until === null}>
          {t('problem.again')}
        </Button>
      )}
    </Message>
  )
}

function Opening({ at }: { at: number }) {
  const { t, locale } = useTexts()
  const when = describeWhen(serverTime(at), null, serverTime(Date.now()), { locale })
  return t('problem.opens', { when: when?.brief })
}

function Countdown({ until }: { until: number }) {
  const { t, locale } = useTexts()
  const now = useValue(clock)
  return t('problem.next', { when: describeCountdown(until, now, { locale }) })
}
