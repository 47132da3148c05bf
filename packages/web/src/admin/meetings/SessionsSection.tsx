import type { AdminSession, AdminSessionListResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { Badge } from '../parts/Badge.tsx'
import { visibleText } from '../parts/format.ts'
import { useFormat } from '../parts/use-format.ts'
import { SessionDetails } from './SessionDetails.tsx'
import { SessionMarks } from './SessionMarks.tsx'

const read = ({ sessions, next }: AdminSessionListResponse) => ({ rows: sessions, next })

export function SessionsSection({ id }: { id: string | null }) {
  return id === null ? <SessionList /> : <SessionDetails id={id} />
}

function SessionList() {
  const { t } = useTexts()
  const format = useFormat()
  const list = useList('/sessions', read)
  return (
    <ListSection
      title={t('admin.sections.sessions')}
      list={list}
      keyOf={({ conference_session_id }: AdminSession) => conference_session_id}
      empty={t('admin.live_sessions.none')}
      searchLabel={t('admin.live_sessions.search')}
      columns={[
        {
          key: 'title',
          label: t('admin.column.title'),
          render: session => (
            <>
              <Link href={homePath('admin', 'sessions', String(session.conference_session_id))}>
                <bdi>{visibleText(session.title)}</bdi>
              </Link>
              {session.server !== null && (
                <>
                  {' '}
                  <Badge tone="plain">{session.server}</Badge>
                </>
              )}
            </>
          ),
        },
        { key: 'tag', label: t('admin.column.tag'), render: session => session.conference_tag },
        {
          key: 'started',
          label: t('admin.column.started'),
          render: session => format.time(session.started_at_ms),
        },
        {
          key: 'people',
          label: t('admin.column.participants'),
          render: session => format.number(session.participant_count),
          isNumeric: true,
        },
        {
          key: 'marks',
          label: t('admin.column.state'),
          render: session => <SessionMarks session={session} />,
        },
      ]}
    />
  )
}
