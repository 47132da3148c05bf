import type { CallInfo } from '@lectern/protocol/control/client'
import { Phone, PhoneOff, Video } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useConnection } from '../account-connection/use-connection.ts'
import { useSite } from '../site/use-site.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { useValue } from '../use-value.ts'
import type { CallProblem } from './call-actions.ts'
import { namesOf, othersIn } from './facts.ts'
import styles from './IncomingCall.module.css'
import { useCallActions } from './use-calls.ts'
import { useFocusOnArrival } from './use-focus-on-arrival.ts'
import { useRing } from './use-ring.ts'
import { useTitleAlert } from './use-title-alert.ts'

/** A click or key that was meant for what was there before the call does nothing. */
const READY_AFTER_MS = 500

/** A call that rings for the user, above every page; in a conference it is a small banner that rings quietly. */
export function IncomingCall({ call, isInRoom }: { call: CallInfo; isInRoom: boolean }) {
  const { t, locale } = useTexts()
  const { ringSetting, silencedCall } = useSite()
  const { userId } = useConnection()
  const actions = useCallActions()
  const isRingOn = useValue(ringSetting)
  const isSilent = useValue(silencedCall) === call.call_id
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<CallProblem | null>(null)
  const primary = useRef<HTMLButtonElement>(null)
  const arrivedAt = useRef(0)

  const caller = call.inviter.display_name.trim() || t('calls.unnamed')
  const others = othersIn(call, userId).slice(1)
  useTitleAlert(t('calls.incoming.title', { name: caller }))
  useRing(isSilent || !isRingOn ? null : isInRoom ? 'waiting' : 'incoming')
  // In a conference, answering ends it: nothing to do by accident.
  useFocusOnArrival(isInRoom ? null : primary)
  useEffect(() => {
    arrivedAt.current = performance.now()
  }, [])

  const act = (run: () => Promise<CallProblem | null>) => async () => {
    if (isBusy || performance.now() - arrivedAt.current < READY_AFTER_MS) return
    setBusy(true)
    silencedCall.silence(call.call_id)
    setProblem(await run())
    setBusy(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // Escape must not decline by accident, nor close a dialog below.
    event.preventDefault()
    silencedCall.silence(call.call_id)
  }
  const answer = (withCamera: boolean) => act(() => actions.accept(call, withCamera))
  const answers = [
    { withCamera: true, icon: Video, label: t('calls.incoming.withVideo') },
    { withCamera: false, icon: Phone, label: t('calls.incoming.withAudio') },
  ]
  if (!call.video) answers.reverse()

  return (
    <section
      className={isInRoom ? styles.banner : styles.overlay}
      aria-label={t('calls.incoming.label')}
      onKeyDown={onKeyDown}
    >
      <div className={styles.card}>
        <Avatar name={caller} id={call.inviter.user_id} />
        <div className={styles.text}>
          <p className={styles.name} dir="auto">
            {caller}
          </p>
          <p className={styles.kind} role="alert">
            <span className="visually-hidden">{caller}: </span>
            {call.video ? t('calls.incoming.video') : t('calls.incoming.audio')}
          </p>
          {others.length > 0 && (
            <p className={styles.others} dir="auto">
              {t('calls.incoming.with', { names: namesOf(others, locale, t('calls.unnamed')) })}
            </p>
          )}
          {isInRoom && <p className={styles.others}>{t('calls.incoming.endsPresent')}</p>}
          {problem && (
            <p className={styles.problem} role="alert">
              {t(`calls.problem.${problem}`)}
            </p>
          )}
        </div>
        <div className={styles.actions}>
          <button type="button" className={styles.decline} onClick={act(() => actions.decline(call))}>
            <PhoneOff aria-hidden="true" />
            {t('calls.incoming.decline')}
          </button>
          {answers.map(({ withCamera, icon: Icon, label }, position) => (
            <button
              key={label}
              ref={position === 0 ? primary : undefined}
              type="button"
              className={position === 0 ? styles.answer : styles.other}
              onClick={answer(withCamera)}
            >
              <Icon aria-hidden="true" />
              {label}
            </button>
          ))}
        </div>
      </div>
    </section>
  )
}
