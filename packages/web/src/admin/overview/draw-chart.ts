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
  /** A rem in pixels. */
  remPx: number
  /** The index of the data below the pointer; null: none. */
  onPoint: (index: number | null) => void
}

// Sizes are in rem.
const HEIGHT = 9
const FONT_SIZE = 0.6875
const TIMES_HEIGHT = 1.75
const VALUES_WIDTH = 4.5
const TIMES_SPACE = 3.75
const VALUES_SPACE = 1.875
const LINE_WIDTH = 0.1
const POINT_SIZE = 0.375
const DAY_S = 86_400

/** Draws a chart that has the width of its element. Returns the function that removes it. */
export function drawChart({
  target,
  data,
  colours,
  formatValue,
  formatTime,
  remPx,
  onPoint,
}: ChartOptions): () => void {
  const axis = {
    stroke: colours.axis,
    font: `${FONT_SIZE * remPx}px system-ui, sans-serif`,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { show: false },
  }
  const end = data[0].at(-1) ?? 0
  const size = () => ({ width: Math.max(1, target.clientWidth), height: HEIGHT * remPx })
  const plot = new UPlot(
    {
      ...size(),
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: POINT_SIZE * remPx } },
      scales: {
        x: { range: [end - DAY_S, end] },
        y: { range: (_, _least, most) => [0, Math.max(1, (most ?? 0) * 1.1)] },
      },
      axes: [
        {
          ...axis,
          size: TIMES_HEIGHT * remPx,
          space: TIMES_SPACE * remPx,
          values: (_, times) => times.map(seconds => formatTime(seconds * 1000)),
        },
        {
          ...axis,
          size: VALUES_WIDTH * remPx,
          space: VALUES_SPACE * remPx,
          values: (_, values) => labelsOf(values, formatValue),
        },
      ],
      series: [
        {},
        ...colours.lines.map(stroke => ({
          stroke,
          width: LINE_WIDTH * remPx,
          points: { show: false },
          spanGaps: false,
        })),
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
  const observer = new ResizeObserver(() => plot.setSize(size()))
  observer.observe(target)
  return () => {
    observer.disconnect()
    plot.destroy()
  }
}

/** Values that read the same as the one below have no label. */
function labelsOf(values: readonly number[], format: (value: number) => string): string[] {
  const labels = values.map(format)
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label))
}
