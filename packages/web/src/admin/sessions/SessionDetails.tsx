import type { AdminParticipant, AdminSessionResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { DataTable } from '../list/DataTable.tsx'
import { Badge, type Tone } from '../parts/Badge.tsx'
import { Facts } from '../parts/Facts.tsx'
import { visibleText } from '../parts/format.ts'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import { SessionMarks, SessionMenu } from './session-parts.tsx'

const REFRESH_MS = 5_000

/** A live session with its participants and the quality of their media. */
export function SessionDetails({ id }: { id: string }) {
  const { t } = useTexts()
  const { go } = useSite()
  const format = useFormat()
  const path = `/sessions/${encodeURIComponent(id)}`
  const { state, reload } = useResource<AdminSessionResponse>(path, REFRESH_MS)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const session = state.body
  // A server of an earlier version, during an upgrade, leaves them out.
  const mediaNodes = session.media_nodes ?? []
  return (
    <>
      <Facts
        title={visibleText(session.title)}
        menu={<SessionMenu session={session} onDone={() => go(homePath('admin', 'sessions'))} />}
        facts={[
          { name: t('admin.column.tag'), value: session.conference_tag },
          { name: t('admin.column.started'), value: format.time(session.started_at_ms) },
          { name: t('admin.column.participants'), value: format.number(session.participant_count) },
          { name: t('admin.column.mediaWorker'), value: session.rtc_node_ids.join(', ') || '—' },
          ...(mediaNodes.length > 0
            ? [{ name: t('admin.column.mediaNodes'), value: mediaNodes.join(', ') }]
            : []),
          { name: t('admin.column.state'), value: <SessionMarks session={session} /> },
        ]}
      >
        {session.kind === 'partner' && (
          <Link href={homePath('admin', 'rooms', session.conference_tag)}>{t('adminPages.room.open')}</Link>
        )}
      </Facts>
      {session.participants.length === 0 && <p>{t('admin.live_sessions.empty')}</p>}
      {session.participants.length > 0 && (
        <DataTable
          label={t('admin.column.participants')}
          rows={session.participants}
          keyOf={({ participant_id }: AdminParticipant) => participant_id}
          actionsLabel={t('admin.actions')}
          columns={[
            { key: 'name', label: t('admin.column.name'), render: each => <bdi>{each.display_name}</bdi> },
            { key: 'role', label: t('admin.column.role'), render: each => <Role role={each.role} /> },
            {
              key: 'joined',
              label: t('admin.column.joined'),
              render: each => format.time(each.joined_at_ms),
            },
            {
              key: 'quality',
              label: t('admin.column.quality'),
              render: each => <Quality participant={each} />,
            },
            {
              key: 'sends',
              label: t('admin.column.sends'),
              render: each => <Publications participant={each} />,
            },
          ]}
        />
      )}
    </>
  )
}

function Role({ role }: { role: string }) {
  const { t } = useTexts()
  return role === 'moderator' ? t('admin.live_sessions.moderator') : t('admin.live_sessions.participant')
}

const toneOf = (quality: number): Tone => (quality >= 7 ? 'good' : quality >= 4 ? 'warm' : 'bad')

function Quality({ participant: { presence, quality } }: { participant: AdminParticipant }) {
  const { t } = useTexts()
  if (presence === 'away') return <Badge tone="bad">{t('admin.live_sessions.away')}</Badge>
  if (quality === null) return '—'
  return <Badge tone={toneOf(quality)}>{t('admin.live_sessions.quality', { number: quality })}</Badge>
}

const SOURCES = ['camera', 'microphone', 'screen', 'screen_audio'] as const

function Publications({ participant: { publications } }: { participant: AdminParticipant }) {
  const { t } = useTexts()
  const names = publications.map(({ source, paused }) => {
    const known = SOURCES.find(each => each === source)
    const name = known ? t(`admin.live_sessions.source.${known}`) : source
    return paused ? t('admin.live_sessions.paused', { source: name }) : name
  })
  return names.length === 0 ? '—' : names.join(', ')
}
