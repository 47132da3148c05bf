import type { AdminSamplesResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { ResourceStatus } from '../Resource.tsx'
import { useResource } from '../use-resource.ts'
import { Charts } from './Charts.tsx'
import { Health } from './Health.tsx'
import styles from './OverviewSection.module.css'
import { Storage } from './Storage.tsx'

const REFRESH_MS = 60_000

/** The state of the server now, and in the last day. */
export function OverviewSection() {
  const { t } = useTexts()
  const { state, reload } = useResource<AdminSamplesResponse>('/samples', REFRESH_MS)
  return (
    <div className={styles.overview}>
      <Health />
      <section aria-labelledby="charts-title">
        <h2 id="charts-title" className={styles.heading}>
          {t('admin.charts.title')}
        </h2>
        {state.is === 'known' ? <Charts {...state.body} /> : <ResourceStatus state={state} reload={reload} />}
      </section>
      <Storage />
    </div>
  )
}
