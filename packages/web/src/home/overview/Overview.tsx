import { type ReactNode, useEffect, useId } from 'react'
import { useConnection } from '../../account-connection/use-connection.ts'
import { type HomePageName, homePath } from '../../address.ts'
import { outcomeOf } from '../../calls/facts.ts'
import { Link } from '../../site/Link.tsx'
import { useSite } from '../../site/use-site.ts'
import { GoForm } from '../../start/GoForm.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { describeWhen } from '../../time/format.ts'
import { useServerTime } from '../../time/use-server-time.ts'
import { Button } from '../../ui/Button.tsx'
import { useValue } from '../../use-value.ts'
import { CallItem } from '../calls/CallItem.tsx'
import { useLists } from '../lists.ts'
import { NewMeetingButton } from '../meetings/NewMeetingButton.tsx'
import { RecordingItem } from '../recordings/RecordingItem.tsx'
import { usePhone } from '../shell/use-phone.ts'
import { useRefresh } from '../use-refresh.ts'
import { meetingsInOrder } from './meetings-in-order.ts'
import styles from './Overview.module.css'

const SHOWN = 3
/** The chats are below. */
const SHOWN_ON_PHONES = 1

/**
 * Actions and news for the user, beside the chats, on phones above them, with the recordings below them. Parts that have
 * nothing are not there.
 */
export function Overview() {
  const { t } = useTexts()
  const isPhone = usePhone()
  const shown = isPhone ? SHOWN_ON_PHONES : SHOWN
  return (
    <div className={styles.overview}>
      <section className={styles.start} aria-label={t('overview.title')}>
        <NewMeetingButton />
        <GoForm />
      </section>
      <OwnMeetings shown={shown} />
      <MissedCalls shown={shown} />
      {!isPhone && <LastRecordings />}
    </div>
  )
}

function OwnMeetings({ shown }: { shown: number }) {
  const { t, locale } = useTexts()
  const { go } = useSite()
  const { conferences } = useLists()
  const now = useServerTime()
  const state = useValue(conferences)
  useRefresh(conferences.load)
  if (state.is !== 'known' || state.list.length === 0) return null
  return (
    <Part title={t('meetings.own')} page="meetings">
      {meetingsInOrder(state.list, now)
        .slice(0, shown)
        .map(({ tag, title, live, startsAt, endsAt }) => (
          <li key={tag} className={styles.meeting}>
            <div className={styles.facts}>
              <bdi className={styles.title}>{title}</bdi>
              <p className={styles.when}>{describeWhen(startsAt, endsAt, now, { locale })?.brief}</p>
            </div>
            <Button
              label={live ? t('meetings.joinNamed', { title }) : t('meetings.startNamed', { title })}
              secondary={!live}
              onClick={() => go(`/conferences/${tag}`)}
            >
              {live ? t('prejoin.join') : t('meetings.start')}
            </Button>
          </li>
        ))}
    </Part>
  )
}

function MissedCalls({ shown }: { shown: number }) {
  const { t } = useTexts()
  const { userId } = useConnection()
  const { calls: history } = useLists()
  const state = useValue(history)
  useEffect(() => history.open(), [history])
  const calls = state.is === 'loaded' ? state.calls : []
  const missed = calls.filter(call => outcomeOf(call, userId) === 'missed').slice(0, shown)
  if (missed.length === 0) return null
  return (
    <Part title={t('overview.missed')} page="calls">
      {missed.map(call => (
        <li key={call.call_id}>
          <CallItem call={call} />
        </li>
      ))}
    </Part>
  )
}

export function LastRecordings() {
  const { t } = useTexts()
  const { recordings } = useLists()
  const state = useValue(recordings)
  useRefresh(recordings.load)
  if (state.is !== 'known' || state.list.length === 0) return null
  return (
    <Part title={t('overview.recordings')} page="recordings">
      {state.list.slice(0, SHOWN).map(each => (
        <RecordingItem key={each.recording_id} recording={each} />
      ))}
    </Part>
  )
}

/** `page`: where all of them are. */
function Part({ title, page, children }: { title: string; page: HomePageName; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id} className={styles.heading}>
        <Link className={styles.all} href={homePath(page)}>
          {title}
        </Link>
      </h2>
      <ul className={styles.list}>{children}</ul>
    </section>
  )
}
