import type { AdminSession, AdminSessionListResponse } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import type { Column } from '../list/DataTable.tsx'
import { ListSection } from '../list/ListSection.tsx'
import { RelatedList } from '../list/RelatedList.tsx'
import { visibleText } from '../parts/format.ts'
import { useFormat } from '../parts/use-format.ts'
import { SessionDetails } from './SessionDetails.tsx'
import { SessionMarks, SessionMenu } from './session-parts.tsx'

const read = ({ sessions, next }: AdminSessionListResponse) => ({ rows: sessions, next })

export function SessionsSection({ id }: { id: string | null }) {
  return id === null ? <SessionList /> : <SessionDetails id={id} />
}

const keyOf = ({ conference_session_id }: AdminSession) => conference_session_id
const hrefOf = (session: AdminSession) => homePath('admin', 'sessions', String(session.conference_session_id))

function useColumns(): Column<AdminSession>[] {
  const { t } = useTexts()
  const format = useFormat()
  return [
    {
      key: 'title',
      label: t('admin.column.title'),
      render: session => <bdi>{visibleText(session.title)}</bdi>,
    },
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
    { key: 'tag', label: t('admin.column.tag'), render: session => session.conference_tag },
  ]
}

function SessionList() {
  const { t } = useTexts()
  const list = useList('/sessions', read)
  return (
    <ListSection
      title={t('admin.sections.sessions')}
      list={list}
      keyOf={keyOf}
      hrefOf={hrefOf}
      empty={t('admin.live_sessions.none')}
      emptyHint={t('adminPages.how.sessions')}
      searchLabel={t('admin.live_sessions.search')}
      columns={useColumns()}
      actions={session => <SessionMenu session={session} onDone={() => void list.refresh()} />}
    />
  )
}

/** The live session of a conference. */
export function RelatedSessions({ tag }: { tag: string }) {
  const { t } = useTexts()
  const columns = useColumns()
  return (
    <RelatedList
      title={t('admin.sections.sessions')}
      path="/sessions"
      query={{ search: tag }}
      {...{ read, columns, keyOf, hrefOf }}
    />
  )
}
