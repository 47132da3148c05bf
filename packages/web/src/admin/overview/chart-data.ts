import type { SampleColumns } from '@lectern/protocol'

export type ChartColumn = Exclude<keyof SampleColumns, 'at_ms'>
/** The data of uPlot: seconds, then the values of each line; null is a gap. */
export type ChartData = [number[], ...(number | null)[][]]

/** Intervals after which a missing sample is a gap. */
const GAP_INTERVALS = 1.5

/**
 * The columns of a chart. Where samples are missing, a point without values interrupts the lines: the server did not run
 * then.
 */
export function chartData(
  samples: SampleColumns,
  columns: readonly ChartColumn[],
  intervalMs: number,
): ChartData {
  const seconds: number[] = []
  const lines: (number | null)[][] = columns.map(() => [])
  samples.at_ms.forEach((atMs, index) => {
    const before = samples.at_ms[index - 1]
    if (before !== undefined && atMs - before > GAP_INTERVALS * intervalMs) {
      seconds.push((before + intervalMs) / 1000)
      for (const line of lines) line.push(null)
    }
    seconds.push(atMs / 1000)
    columns.forEach((name, i) => {
      lines[i]?.push(samples[name][index] ?? null)
    })
  })
  return [seconds, ...lines]
}

/** The last value and the greatest one; null where there is none. */
export function summaryOf(values: readonly (number | null)[]): { last: number | null; most: number | null } {
  const known = values.filter(value => value !== null)
  return {
    last: values.at(-1) ?? null,
    most: known.length > 0 ? known.reduce((a, b) => Math.max(a, b)) : null,
  }
}
