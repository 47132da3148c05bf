import type { AuditListResponse, AuditRecord } from '@lectern/protocol'
import { homePath } from '../../address.ts'
import { Link } from '../../site/Link.tsx'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import type { Column } from '../list/DataTable.tsx'
import { ListSection } from '../list/ListSection.tsx'
import { RelatedList } from '../list/RelatedList.tsx'
import { StateBadge } from '../parts/StateBadge.tsx'
import { useFormat } from '../parts/use-format.ts'
import type { SectionName } from '../section-names.ts'
import styles from './AuditSection.module.css'
import { ACTIONS, type ActionKey, actionKey } from './audit-actions.ts'

const OUTCOMES = ['done', 'refused', 'failed', 'started'] as const
const keyOf = ({ id }: AuditRecord) => id
const read = ({ records, next }: AuditListResponse) => ({ rows: records, next })

export function AuditSection() {
  const { t } = useTexts()
  const list = useList('/audit', read)
  return (
    <>
      <p className={styles.note}>{t('admin.audit.note')}</p>
      <ListSection
        title={t('admin.sections.audit')}
        list={list}
        keyOf={keyOf}
        empty={t('admin.audit.none')}
        emptyHint={t('adminPages.how.audit')}
        searchLabel={t('admin.audit.search')}
        filters={[
          {
            name: 'action',
            label: t('admin.column.action'),
            options: Object.entries(ACTIONS).map(([key, value]) => ({
              value,
              label: t(`admin.audit.action.${key as ActionKey}`),
            })),
          },
          {
            name: 'outcome',
            label: t('admin.column.outcome'),
            options: OUTCOMES.map(value => ({ value, label: t(`admin.audit.outcome.${value}`) })),
          },
        ]}
        columns={useColumns()}
      />
    </>
  )
}

/** The audit records that name a thing, or those of a user. */
export function RelatedAudit({ query }: { query: { search: string } | { user: string } }) {
  const { t } = useTexts()
  const columns = useColumns()
  return <RelatedList title={t('adminPages.history')} path="/audit" {...{ query, read, columns, keyOf }} />
}

function useColumns(): Column<AuditRecord>[] {
  const { t } = useTexts()
  const format = useFormat()
  const nameOf = (action: string) => {
    const key = actionKey(action)
    return key ? t(`admin.audit.action.${key}`) : action
  }
  return [
    { key: 'time', label: t('admin.column.time'), render: each => format.time(each.at_ms) },
    { key: 'action', label: t('admin.column.action'), render: each => nameOf(each.action) },
    { key: 'target', label: t('admin.column.target'), render: each => <Target record={each} /> },
    {
      key: 'outcome',
      label: t('admin.column.outcome'),
      render: each => (
        <>
          <StateBadge of="audit" state={each.outcome} /> {each.code}
        </>
      ),
    },
    {
      key: 'actor',
      label: t('admin.column.actor'),
      render: each =>
        each.actor_kind === 'user' ? each.actor : t('admin.audit.commandLine', { name: each.actor }),
    },
    {
      key: 'details',
      label: t('admin.column.details'),
      render: each => <Details details={each.details} />,
    },
    { key: 'address', label: t('admin.column.address'), render: each => each.address ?? '—' },
  ]
}

/** The sections whose pages have the address of a target, by the kind of action. */
const SECTION_OF: Readonly<Record<string, SectionName>> = {
  room: 'rooms',
  job: 'jobs',
  service_account: 'service-accounts',
  webhook: 'service-accounts',
  webhook_delivery: 'webhooks',
}

function Target({ record: { action, target } }: { record: AuditRecord }) {
  const section = SECTION_OF[action.split('.')[0] ?? '']
  return section ? <Link href={homePath('admin', section, target)}>{target}</Link> : target
}

/** The details as the API returns them: their names are those of its fields. */
function Details({ details }: { details: Record<string, unknown> }) {
  const entries = Object.entries(details)
  if (entries.length === 0) return '—'
  return (
    <ul className={styles.details}>
      {entries.map(([name, value]) => (
        <li key={name}>
          {name}: {(Array.isArray(value) ? value.join(', ') : String(value)) || '—'}
        </li>
      ))}
    </ul>
  )
}
