import type { CallInfo } from '@lectern/protocol/control/client'
import { Phone, Users, Video } from 'lucide-react'
import { useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import type { CallProblem } from '../../calls/call-actions.ts'
import { namesOf, othersIn, outcomeOf, roleIn, stateOf } from '../../calls/facts.ts'
import { useCallActions } from '../../calls/use-calls.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Button } from '../../ui/Button.tsx'
import { CallPeople } from './CallPeople.tsx'
import styles from './CallSummary.module.css'
import { outcomeIcons } from './outcome-icons.ts'
import { useCallTimes } from './use-call-times.ts'

/** A call that is active elsewhere or over, with links to rejoin it or to start another one. */
export function CallSummary({ call }: { call: CallInfo }) {
  const { t, locale } = useTexts()
  const { userId } = useConnection()
  const { start, accept, enter } = useCallActions()
  const { when, exactly, duration } = useCallTimes(call)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const others = othersIn(call, userId)
  const outcome = outcomeOf(call, userId)
  const Icon = outcomeIcons[outcome]
  const isOver = call.state === 'ended'
  // Somebody who has accepted, or invited, just enters.
  const isMember = roleIn(call, userId) === 'inviter' || stateOf(call, userId) === 'accepted'
  const act = async (withCamera: boolean) => {
    if (!isOver && isMember) return enter(call, withCamera)
    setBusy(true)
    const ids = others.map(each => each.user_id)
    setProblem(await (isOver ? start(ids, withCamera) : accept(call, withCamera)))
    setBusy(false)
  }
  return (
    <div className={styles.summary}>
      <div className={styles.head}>
        <Avatar
          name={namesOf(others, locale, '')}
          id={others[0]?.user_id ?? ''}
          {...(others.length > 1 && { icon: Users })}
        />
        <h2 className={others.length > 1 ? styles.several : styles.names} dir="auto">
          {namesOf(others, locale, t('calls.unnamed'))}
        </h2>
        <p className={styles.outcome} data-outcome={outcome} role="status">
          <Icon aria-hidden="true" />
          <span>
            {t(`calls.outcome.${outcome}`)}
            {duration && <span className={styles.duration}> · {duration}</span>}
          </span>
        </p>
        <time className={styles.when} dateTime={new Date(call.created_at_ms).toISOString()} title={exactly}>
          {when}
        </time>
      </div>
      <div className={styles.actions}>
        <Button busy={isBusy} onClick={() => void act(call.video)}>
          <span className={styles.button}>
            {call.video ? <Video aria-hidden="true" /> : <Phone aria-hidden="true" />}
            {isOver
              ? t('calls.page.again')
              : call.video
                ? t('calls.active.joinWithVideo')
                : t('calls.active.joinWithAudio')}
          </span>
        </Button>
        {call.video && !isOver && (
          <Button secondary busy={isBusy} onClick={() => void act(false)}>
            {t('calls.active.joinWithAudio')}
          </Button>
        )}
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {t(`calls.problem.${problem}`)}
        </p>
      )}
      {call.people.length > 1 && <CallPeople call={call} />}
    </div>
  )
}
