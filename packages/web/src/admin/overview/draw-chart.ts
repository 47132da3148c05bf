import UPlot from 'uplot'
import type { ChartData } from './chart-data.ts'

export interface ChartColours {
  lines: readonly string[]
  grid: string
  axis: string
}

interface ChartOptions {
  target: HTMLElement
  data: ChartData
  colours: ChartColours
  formatValue: (value: number) => string
  formatTime: (ms: number) => string
  /** The index of the data below the pointer; null: none. */
  onPoint: (index: number | null) => void
}

const HEIGHT_PX = 150
const AXIS_WIDTH_PX = 72
const FONT = '11px system-ui, sans-serif'
const DAY_S = 86_400

/** Draws a chart that has the width of its element. Returns the function that removes it. */
export function drawChart({
  target,
  data,
  colours,
  formatValue,
  formatTime,
  onPoint,
}: ChartOptions): () => void {
  const axis = {
    stroke: colours.axis,
    font: FONT,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
  }
  const end = data[0].at(-1) ?? 0
  const plot = new UPlot(
    {
      width: Math.max(1, target.clientWidth),
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 6 } },
      scales: {
        x: { range: [end - DAY_S, end] },
        y: { range: (_, _least, most) => [0, Math.max(1, (most ?? 0) * 1.1)] },
      },
      axes: [
        { ...axis, space: 60, values: (_, times) => times.map(seconds => formatTime(seconds * 1000)) },
        { ...axis, size: AXIS_WIDTH_PX, space: 30, values: (_, values) => values.map(formatValue) },
      ],
      series: [
        {},
        ...colours.lines.map(stroke => ({ stroke, width: 1.5, points: { show: false }, spanGaps: false })),
      ],
      hooks: {
        setCursor: [
          ({ cursor }) =>
            onPoint(cursor.left !== undefined && cursor.left >= 0 ? (cursor.idx ?? null) : null),
        ],
      },
    },
    data,
    target,
  )
  const observer = new ResizeObserver(() =>
    plot.setSize({ width: Math.max(1, target.clientWidth), height: HEIGHT_PX }),
  )
  observer.observe(target)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}
