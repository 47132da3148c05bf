import type { AdminSamplesResponse } from '@lectern/protocol'
import { useTexts } from '../../texts/use-texts.ts'
import type { Format } from '../parts/format.ts'
import { useFormat } from '../parts/use-format.ts'
import { Chart, type Line } from './Chart.tsx'
import styles from './Charts.module.css'
import type { ChartColumn } from './chart-data.ts'

interface ChartDescription {
  name: 'people' | 'cpu' | 'memory' | 'delay' | 'traffic' | 'loss' | 'requests' | 'jobs'
  columns: readonly ChartColumn[]
  format: keyof Pick<Format, 'number' | 'percent' | 'bytes' | 'bitRate' | 'milliseconds'>
}

const CHARTS: readonly ChartDescription[] = [
  { name: 'people', columns: ['participants', 'sessions', 'connections'], format: 'number' },
  { name: 'traffic', columns: ['incoming_bps', 'outgoing_bps'], format: 'bitRate' },
  { name: 'loss', columns: ['packet_loss_percent'], format: 'percent' },
  { name: 'cpu', columns: ['cpu_percent', 'media_cpu_percent'], format: 'percent' },
  { name: 'memory', columns: ['memory_bytes'], format: 'bytes' },
  { name: 'delay', columns: ['event_loop_delay_ms'], format: 'milliseconds' },
  { name: 'requests', columns: ['requests', 'request_failures'], format: 'number' },
  { name: 'jobs', columns: ['jobs'], format: 'number' },
]

/** The last day, by minute. */
export function DayCharts({ samples, interval_ms }: Pick<AdminSamplesResponse, 'samples' | 'interval_ms'>) {
  const { t } = useTexts()
  const format = useFormat()
  if (samples.at_ms.length === 0) return <p>{t('admin.charts.none')}</p>
  return (
    <div className={styles.charts}>
      {CHARTS.map(chart => {
        const lines = chart.columns.map(
          (column): Line => ({ column, label: t(`admin.charts.line.${column}`) }),
        )
        return (
          <Chart
            key={chart.name}
            title={t(`admin.charts.${chart.name}`)}
            samples={samples}
            intervalMs={interval_ms}
            lines={lines}
            format={format[chart.format]}
          />
        )
      })}
    </div>
  )
}
