import type { AdminStorageResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { Badge } from '../parts/Badge.tsx'
import { Facts } from '../parts/Facts.tsx'
import { ResourceStatus } from '../parts/Resource.tsx'
import { useFormat } from '../parts/use-format.ts'
import styles from './OverviewSection.module.css'

const REFRESH_MS = 60_000

/** Disks, and what the server stores on them. */
export function Storage() {
  const { t } = useTexts()
  const format = useFormat()
  const { state, reload } = useResource<AdminStorageResponse>('/storage', REFRESH_MS)
  if (state.is !== 'known') return <ResourceStatus state={state} reload={reload} />
  const storage = state.body
  return (
    <Facts
      title={t('admin.storage.title')}
      facts={[
        { name: t('admin.sections.recordings'), value: format.number(storage.recording_count) },
        { name: t('admin.sections.transcripts'), value: format.number(storage.transcript_count) },
        {
          name: t('admin.storage.files'),
          value: t('admin.storage.amount', {
            number: format.number(storage.file_count),
            size: format.bytes(storage.file_bytes),
          }),
        },
        ...(storage.bucket === null ? [] : [{ name: t('admin.storage.bucket'), value: storage.bucket }]),
        { name: t('admin.storage.uploads'), value: format.number(storage.upload_count) },
        { name: t('admin.storage.databases'), value: format.bytes(storage.database_bytes) },
        { name: t('admin.storage.reserve'), value: format.bytes(storage.reserve_bytes) },
      ]}
    >
      <Disks storage={storage} />
    </Facts>
  )
}

function Disks({ storage: { disks, reserve_bytes } }: { storage: AdminStorageResponse }) {
  const { t } = useTexts()
  const format = useFormat()
  return (
    <div>
      <h3 className={styles.part}>{t('admin.storage.disks')}</h3>
      <ul className={styles.list}>
        {disks.map(({ folder, uses, total_bytes, free_bytes }) => (
          <li key={folder}>
            <span>{uses.map(use => t(`admin.storage.use.${use}`)).join(', ')}</span>{' '}
            <code className={styles.soft}>{folder}</code>
            <meter
              className={styles.bar}
              aria-label={t('admin.storage.used', { folder })}
              value={total_bytes - free_bytes}
              max={total_bytes}
            />
            <span>
              {t('admin.storage.free', { free: format.bytes(free_bytes), total: format.bytes(total_bytes) })}
            </span>{' '}
            {free_bytes < 2 * reserve_bytes && <Badge tone="bad">{t('admin.storage.scarce')}</Badge>}
          </li>
        ))}
      </ul>
    </div>
  )
}
