import type { CallInfo } from '@lectern/protocol/control/client'
import { Users } from 'lucide-react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { homePath } from '../../address.ts'
import { CallButtons } from '../../calls/CallButtons.tsx'
import { namesOf, othersIn, outcomeOf, roleIn, stateOf } from '../../calls/facts.ts'
import { useCallActions } from '../../calls/use-calls.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import styles from './CallItem.module.css'
import { outcomeIcons } from './outcome-icons.ts'
import { useCallTimes } from './use-call-times.ts'

/** A call in the list: with whom, how it went, when. */
export function CallItem({ call }: { call: CallInfo }) {
  const { t, locale } = useTexts()
  const { userId } = useConnection()
  const { when, exactly, duration } = useCallTimes(call)
  const others = othersIn(call, userId)
  const names = namesOf(others, locale, t('calls.unnamed'))
  const outcome = outcomeOf(call, userId)
  const Icon = outcomeIcons[outcome]
  const { enter } = useCallActions()
  const isInside = roleIn(call, userId) === 'inviter' || stateOf(call, userId) === 'accepted'
  return (
    <div className={styles.item} data-outcome={outcome}>
      <Link className={styles.link} href={homePath('calls', call.call_id)}>
        <Avatar name={names} id={others[0]?.user_id ?? ''} {...(others.length > 1 && { icon: Users })} />
        <span className={styles.text}>
          <span className={styles.names} dir="auto" title={names}>
            {names}
          </span>
          <span className={styles.outcome}>
            <Icon aria-hidden="true" />
            <span>
              {t(`calls.outcome.${outcome}`)}
              {duration && <span className={styles.duration}> · {duration}</span>}
            </span>
          </span>
        </span>
        <time className={styles.when} dateTime={new Date(call.created_at_ms).toISOString()} title={exactly}>
          {when}
        </time>
      </Link>
      {call.state === 'ended' && <CallButtons people={others} />}
      {call.state === 'active' && isInside && (
        <Button label={t('calls.list.return', { names })} onClick={() => enter(call, false)}>
          {t('calls.list.returnVerb')}
        </Button>
      )}
    </div>
  )
}
