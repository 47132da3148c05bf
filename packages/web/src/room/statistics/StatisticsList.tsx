import type { ParticipantView } from '@lectern/protocol/control/client'
import type { MediaStatisticsState } from '../../call/media/media-statistics.ts'
import type { RouteStatistics, StreamStatistics } from '../../call/media/read-stats.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import type { JoinedState } from '../joined-state.ts'
import type { Room } from '../room.ts'
import { describeRoute, describeStream } from './describe.ts'
import styles from './StatisticsList.module.css'

const SOURCES = ['microphone', 'camera', 'screen', 'screen_audio'] as const

/** The numbers of what is sent and received, while they are shown. */
export function StatisticsList({ room, joined }: { room: Room; joined: JoinedState }) {
  const { t } = useTexts()
  const statistics = useValue(room.call.statistics)
  const { me, session } = joined
  const others = session.participants.filter(each => each.participant_id !== me.participant_id)
  return (
    <section
      className={styles.list}
      aria-label={t('statistics.title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has the focus.
      tabIndex={0}
    >
      {statistics === null && <p>{t('statistics.none')}</p>}
      {statistics && (
        <>
          <h3 className={styles.name}>{t('statistics.sent')}</h3>
          <Route route={statistics.send} />
          {SOURCES.map(source => (
            <Stream key={source} source={source} stream={statistics.sent.get(source)} />
          ))}
          <h3 className={styles.name}>{t('statistics.received')}</h3>
          <Route route={statistics.receive} />
          {others.map(each => (
            <Received key={each.participant_id} person={each} room={room} received={statistics.received} />
          ))}
        </>
      )}
    </section>
  )
}

interface ReceivedProps {
  person: ParticipantView
  room: Room
  received: MediaStatisticsState['received']
}

function Received({ person, room, received }: ReceivedProps) {
  const { t } = useTexts()
  const tracks = useValue(room.call.remote).get(person.participant_id) ?? {}
  return (
    <div className={styles.person}>
      <h4 className={styles.name}>
        <bdi>{person.display_name || t('people.nameless')}</bdi>
      </h4>
      {SOURCES.map(source => (
        <Stream key={source} source={source} stream={received.get(tracks[source]?.publicationId ?? '')} />
      ))}
    </div>
  )
}

function Route({ route }: { route: RouteStatistics | null }) {
  const { t, locale } = useTexts()
  return route && <p>{describeRoute(route, t, locale)}</p>
}

function Stream({
  source,
  stream,
}: {
  source: (typeof SOURCES)[number]
  stream: StreamStatistics | undefined
}) {
  const { t, locale } = useTexts()
  return (
    stream && (
      <p data-stream={source}>
        {t(`statistics.source.${source}`)}: <bdi>{describeStream(stream, t, locale)}</bdi>
      </p>
    )
  )
}
