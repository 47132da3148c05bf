import type { SampleColumns } from '@lectern/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import 'uplot/dist/uPlot.min.css'
import { useSite } from '../../site/use-site.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useValue } from '../../use-value.ts'
import { useFormat } from '../parts/use-format.ts'
import styles from './Charts.module.css'
import { type ChartColumn, chartData, summaryOf } from './chart-data.ts'
import { type ChartColours, drawChart } from './draw-chart.ts'
import { remPx, useChartStyle } from './use-chart-style.ts'

export interface Line {
  column: ChartColumn
  label: string
}

interface Props {
  title: string
  samples: SampleColumns
  intervalMs: number
  lines: readonly Line[]
  format: (value: number) => string
}

const LINE_STYLES = [styles.first, styles.second, styles.third]

/** A chart of the last day. The legend says in words what the drawing shows; it follows the pointer. */
export function Chart({ title, samples, intervalMs, lines, format }: Props) {
  const { t } = useTexts()
  const { clock } = useFormat()
  const { theme } = useSite()
  const chosenTheme = useValue(theme)
  const style = useChartStyle()
  const figure = useRef<HTMLElement>(null)
  const plot = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const columns = lines.map(({ column }) => column).join(' ')
  const data = useMemo(
    () => chartData(samples, columns.split(' ') as ChartColumn[], intervalMs),
    [samples, columns, intervalMs],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: theme and style change the colours and sizes that are read
  useEffect(() => {
    const [target, owner] = [plot.current, figure.current]
    if (!target || !owner) return
    return drawChart({
      target,
      data,
      colours: readColours(owner),
      formatValue: format,
      formatTime: clock,
      remPx: remPx(),
      onPoint: setPointed,
    })
  }, [data, format, clock, chosenTheme, style])

  return (
    <figure ref={figure} className={styles.chart}>
      <figcaption>
        <span className={styles.title}>{title}</span>
        <ul className={styles.legend}>
          {lines.map(({ column, label }, index) => {
            const values = data[index + 1] ?? []
            const { last, most } = summaryOf(values)
            const value = pointed === null ? last : (values[pointed] ?? null)
            return (
              <li key={column}>
                <span className={`${styles.swatch} ${LINE_STYLES[index]}`} data-line aria-hidden="true" />
                {label}: <span className={styles.value}>{value === null ? '—' : format(value)}</span>
                {most !== null && ` · ${t('admin.charts.most', { value: format(most) })}`}
              </li>
            )
          })}
        </ul>
      </figcaption>
      <div ref={plot} className={styles.plot} aria-hidden="true" />
      <span hidden className={styles.grid} data-grid />
      <span hidden className={styles.axis} data-axis />
    </figure>
  )
}

/** A canvas has no style sheets: colours are read from elements that have them. */
function readColours(figure: HTMLElement): ChartColours {
  const colourOf = (element: Element | null) => (element ? getComputedStyle(element).color : '')
  return {
    lines: [...figure.querySelectorAll('[data-line]')].map(colourOf),
    grid: colourOf(figure.querySelector('[data-grid]')),
    axis: colourOf(figure.querySelector('[data-axis]')),
  }
}
