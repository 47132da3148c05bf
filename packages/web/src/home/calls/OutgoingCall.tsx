import type { CallInfo } from '@lectern/protocol/control/client'
import { PhoneOff } from 'lucide-react'
import { useState } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import type { CallProblem } from '../../calls/call-actions.ts'
import { namesOf, othersIn } from '../../calls/facts.ts'
import { useCallActions } from '../../calls/use-calls.ts'
import { useRing } from '../../calls/use-ring.ts'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { CallPeople } from './CallPeople.tsx'
import styles from './OutgoingCall.module.css'

/** A call that rings for others. */
export function OutgoingCall({ call }: { call: CallInfo }) {
  const { t, locale } = useTexts()
  const { startedCalls } = useSite()
  const { userId } = useConnection()
  const { cancel } = useCallActions()
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const isFromHere = startedCalls.has(call.call_id)
  useRing(isFromHere ? 'outgoing' : null)
  const others = othersIn(call, userId)
  return (
    <div className={styles.outgoing}>
      <div className={styles.rings} aria-hidden="true">
        {others.slice(0, 4).map(each => (
          <Avatar key={each.user_id} name={each.display_name} id={each.user_id} />
        ))}
      </div>
      <p className={others.length > 1 ? styles.several : styles.calling} role="status" dir="auto">
        {t('calls.outgoing.calling', { names: namesOf(others, locale, t('calls.unnamed')) })}
      </p>
      {!isFromHere && <p className={styles.note}>{t('calls.outgoing.elsewhere')}</p>}
      {others.length > 1 && <CallPeople call={call} />}
      <button type="button" className={styles.cancel} onClick={async () => setProblem(await cancel(call))}>
        <PhoneOff aria-hidden="true" />
        {t('calls.outgoing.cancel')}
      </button>
      {problem && (
        <p className={styles.problem} role="alert">
          {t(`calls.problem.${problem}`)}
        </p>
      )}
    </div>
  )
}
