import type { AdminSamplesResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import { useResource } from '../data/use-resource.ts'
import { ResourceStatus } from '../parts/Resource.tsx'
import { DayCharts } from './DayCharts.tsx'
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
        {state.is === 'known' ? (
          <AllCharts {...state.body} />
        ) : (
          <ResourceStatus state={state} reload={reload} />
        )}
      </section>
      <Storage />
    </div>
  )
}

/** The charts of each server of a cluster, under its name. */
function AllCharts({ samples, servers, interval_ms }: AdminSamplesResponse) {
  if (servers.length === 0) return <DayCharts samples={samples} interval_ms={interval_ms} />
  return servers.map(each => (
    <div key={each.server}>
      <h3 className={styles.part}>{each.server}</h3>
      <DayCharts samples={each.samples} interval_ms={interval_ms} />
    </div>
  ))
}
