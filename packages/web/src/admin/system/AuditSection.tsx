import type { AuditListResponse, AuditRecord } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useList } from '../data/use-list.ts'
import { ListSection } from '../list/ListSection.tsx'
import { Badge, type Tone } from '../parts/Badge.tsx'
import { useFormat } from '../parts/use-format.ts'
import styles from './AuditSection.module.css'
import { ACTIONS, type ActionKey, actionKey } from './audit-actions.ts'

const OUTCOMES = ['done', 'refused', 'failed', 'started'] as const
const TONES: Record<AuditRecord['outcome'], Tone> = {
  done: 'good',
  refused: 'warm',
  failed: 'bad',
  started: 'bad',
}
const read = ({ records, next }: AuditListResponse) => ({ rows: records, next })

export function AuditSection() {
  const { t } = useTexts()
  const format = useFormat()
  const list = useList('/audit', read)
  const nameOf = (action: string) => {
    const key = actionKey(action)
    return key ? t(`admin.audit.action.${key}`) : action
  }
  return (
    <>
      <p className={styles.note}>{t('admin.audit.note')}</p>
      <ListSection
        title={t('admin.sections.audit')}
        list={list}
        keyOf={({ id }: AuditRecord) => id}
        empty={t('admin.audit.none')}
        searchLabel={t('admin.audit.search')}
        filters={[
          {
            name: 'action',
            label: t('admin.column.action'),
            options: [
              { value: '', label: t('admin.all') },
              ...Object.entries(ACTIONS).map(([key, value]) => ({
                value,
                label: t(`admin.audit.action.${key as ActionKey}`),
              })),
            ],
          },
          {
            name: 'outcome',
            label: t('admin.column.outcome'),
            options: [
              { value: '', label: t('admin.all') },
              ...OUTCOMES.map(value => ({ value, label: t(`admin.audit.outcome.${value}`) })),
            ],
          },
        ]}
        columns={[
          { key: 'time', label: t('admin.column.time'), render: each => format.time(each.at_ms) },
          {
            key: 'actor',
            label: t('admin.column.actor'),
            render: each =>
              each.actor_kind === 'user' ? each.actor : t('admin.audit.commandLine', { name: each.actor }),
          },
          { key: 'action', label: t('admin.column.action'), render: each => nameOf(each.action) },
          { key: 'target', label: t('admin.column.target'), render: each => each.target },
          {
            key: 'outcome',
            label: t('admin.column.outcome'),
            render: each => (
              <>
                <Badge tone={TONES[each.outcome]}>{t(`admin.audit.outcome.${each.outcome}`)}</Badge>{' '}
                {each.code}
              </>
            ),
          },
          {
            key: 'details',
            label: t('admin.column.details'),
            render: each => <Details details={each.details} />,
          },
          { key: 'address', label: t('admin.column.address'), render: each => each.address ?? '—' },
        ]}
      />
    </>
  )
}

/** As the API returns them: their names are those of its fields. */
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
