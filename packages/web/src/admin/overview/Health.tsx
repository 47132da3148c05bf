import type { AdminHealthResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { Badge } from '../parts/Badge.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import { Members } from './Members.tsx'
import styles from './OverviewSection.module.css'

const REFRESH_MS = 10_000

/** The server and its workers at the moment. */
export function Health() {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<AdminHealthResponse>('/health', REFRESH_MS)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const health = state.body
  const isComplete = health.media_workers.length >= health.media_workers_expected
  return (
    <Facts
      title={t('admin.health.title')}
      facts={[
        {
          name: t('admin.column.state'),
          value: health.ready ? (
            <Badge tone="good">{t('admin.health.ready')}</Badge>
          ) : (
            <Badge tone="bad">{t('admin.health.notReady')}</Badge>
          ),
        },
        {
          name: t('admin.health.version'),
          value: <bdi>{`${health.version} (Node ${health.node_version})`}</bdi>,
        },
        { name: t('admin.health.since'), value: format.time(health.started_at_ms) },
        { name: t('admin.sections.sessions'), value: format.number(health.sessions) },
        { name: t('admin.column.participants'), value: format.number(health.participants) },
        { name: t('admin.health.waiting'), value: format.number(health.waiting) },
        { name: t('admin.health.connections'), value: format.number(health.connections) },
        { name: t('admin.sections.jobs'), value: t('admin.health.jobs', health.jobs) },
        {
          name: t('admin.health.webhooks'),
          value:
            health.webhooks_pending === null
              ? t('admin.health.moduleOff')
              : format.number(health.webhooks_pending),
        },
        {
          name: t('admin.health.mediaWorkers'),
          value: (
            <Badge tone={isComplete ? 'good' : 'bad'}>
              {t('admin.health.running', {
                number: health.media_workers.length,
                expected: health.media_workers_expected,
              })}
            </Badge>
          ),
        },
      ]}
    >
      <Workers health={health} />
    </Facts>
  )
}

function Workers({ health: { media_workers, members, workers } }: { health: AdminHealthResponse }) {
  const { t } = useTexts()
  const format = useFormat()
  return (
    <div>
      <Members members={members} />
      <h3 className={styles.part}>{t('admin.health.mediaWorkers')}</h3>
      <ul className={styles.list}>
        {media_workers.map(({ rtc_node_id, node, pid, load, open_descriptors, descriptor_limit }) => (
          <li key={rtc_node_id}>
            {node !== null && `${node} · `}
            {t('admin.health.mediaWorker', { pid, load: format.number(load) })}
            {open_descriptors !== null && (
              <span className={styles.soft}>
                {' · '}
                {t('admin.health.descriptors', {
                  open: format.number(open_descriptors),
                  limit: descriptor_limit === null ? '∞' : format.number(descriptor_limit),
                })}
              </span>
            )}
          </li>
        ))}
      </ul>
      <h3 className={styles.part}>{t('admin.health.workers')}</h3>
      {workers.length === 0 && <p className={styles.soft}>{t('admin.health.noWorkers')}</p>}
      <ul className={styles.list}>
        {workers.map(({ kind, login, alive, last_seen_ms }) => (
          <li key={`${kind} ${login}`}>
            <Badge tone={alive ? 'good' : 'bad'}>
              {alive ? t('admin.health.alive') : t('admin.health.gone')}
            </Badge>{' '}
            {t(`admin.jobs.kind.${kind}`)}, {login}{' '}
            <span className={styles.soft}>
              {t('admin.health.lastSeen', { time: format.time(last_seen_ms) })}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
