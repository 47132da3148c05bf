import type { Minute } from './minutes.ts'
import { slopesOf, warmUpOf } from './slopes.ts'

/** A line of a panel; null where there is no value. */
interface Series {
  name: string
  values: (number | null)[]
}

interface Panel {
  title: string
  series: Series[]
}

const WIDTH = 1_120
const LEFT = 64
const PLOT_WIDTH = 760
const PLOT_HEIGHT = 170
const PANEL_HEIGHT = 236
const LINE_HEIGHT = 17
const TICKS = 4
/** Distinguishable with colour vision deficiencies (Okabe and Ito); dashed when they repeat. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

/** The run as an SVG image: one panel for each kind of figure, over minutes; the warm-up is shaded. */
export function drawChart(minutes: readonly Minute[], title: string): string {
  const panels = panelsOf(minutes)
  const height = 60 + panels.reduce((sum, panel) => sum + heightOf(panel), 0)
  const times = minutes.map(({ minute }) => minute)
  let top = 60
  const drawn = panels.map(panel => {
    const text = drawPanel(panel, times, warmUpOf(minutes), top)
    top += heightOf(panel)
    return text
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="32" font-size="17" font-weight="bold">${escapeText(title)}</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

const heightOf = ({ series }: Panel) => Math.max(PANEL_HEIGHT, series.length * LINE_HEIGHT + 60)

function panelsOf(minutes: readonly Minute[]): Panel[] {
  const programs = [...new Set(minutes.flatMap(({ processes }) => Object.keys(processes)))]
  const stores = [...new Set(minutes.flatMap(each => Object.keys(each.stores)))]
  const slopes = new Map(slopesOf(minutes).map(slope => [slope.name, slope]))
  const ofPrograms = (key: 'memory' | 'descriptors' | 'threads') =>
    programs.map(name => ({ name, values: minutes.map(({ processes }) => processes[name]?.[key] ?? null) }))
  const latency = (key: 'chat' | 'http') => [
    { name: 'p50', values: minutes.map(each => each[key]?.p50 ?? null) },
    { name: 'p99', values: minutes.map(each => each[key]?.p99 ?? null) },
  ]
  const withSlope = (series: Series): Series => {
    const slope = slopes.get(series.name)
    return slope ? { ...series, name: `${series.name}, ${signed(slope.perHour)} MB/h` } : series
  }
  return [
    { title: 'Resident memory, MB', series: ofPrograms('memory').map(withSlope) },
    { title: 'Descriptors', series: ofPrograms('descriptors') },
    { title: 'Threads', series: ofPrograms('threads') },
    {
      title: 'Stores, MB',
      series: stores.map(name => ({ name, values: minutes.map(each => each.stores[name] ?? 0) })),
    },
    { title: 'Chat message until its acknowledgement, ms', series: latency('chat') },
    { title: 'GET of the status of a room, ms', series: latency('http') },
    {
      title: 'CPU seconds per second',
      series: [{ name: 'server and workers', values: minutes.map(({ cpu }) => cpu) }],
    },
  ]
}

function drawPanel({ title, series }: Panel, times: number[], warmUp: number, top: number): string {
  const highest = niceMax(Math.max(...series.flatMap(({ values }) => values.map(value => value ?? 0))))
  const lastTime = times.at(-1) || 1
  const x = (minute: number) => LEFT + (minute / lastTime) * PLOT_WIDTH
  const y = (value: number) => top + 24 + PLOT_HEIGHT * (1 - value / highest)
  const ticks = Array.from({ length: TICKS + 1 }, (_, tick) => tick / TICKS)
  const bottom = y(0)
  return [
    `<text x="${LEFT}" y="${top + 12}" font-weight="bold">${title}</text>`,
    `<rect x="${LEFT}" y="${y(highest)}" width="${x(warmUp) - LEFT}" height="${PLOT_HEIGHT}" fill="#f2f2f2"/>`,
    ...ticks.map(part => {
      const at = y(highest * part).toFixed(1)
      const line = `<line x1="${LEFT}" x2="${LEFT + PLOT_WIDTH}" y1="${at}" y2="${at}" stroke="#ddd"/>`
      return `${line}<text x="${LEFT - 6}" y="${Number(at) + 4}" text-anchor="end">${format(highest * part)}</text>`
    }),
    ...ticks.map(part => {
      const label = `${format(lastTime * part)}${part === 1 ? ' min' : ''}`
      return `<text x="${x(lastTime * part).toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${label}</text>`
    }),
    ...series.map((each, index) => drawSeries(each, index, { times, x, y, top })),
  ].join('\n')
}

interface Scales {
  times: number[]
  x: (minute: number) => number
  y: (value: number) => number
  top: number
}

function drawSeries({ name, values }: Series, index: number, { times, x, y, top }: Scales): string {
  const colour = COLOURS[index % COLOURS.length]
  const style = `stroke="${colour}" ${index >= COLOURS.length ? 'stroke-dasharray="4 3"' : ''}`
  let isDrawing = false
  const path = values.map((value, at) => {
    const command =
      value === null ? '' : `${isDrawing ? 'L' : 'M'}${x(times[at] ?? 0).toFixed(1)},${y(value).toFixed(1)}`
    isDrawing = value !== null
    return command
  })
  const [keyX, keyY] = [LEFT + PLOT_WIDTH + 16, top + 28 + index * LINE_HEIGHT]
  const last = values.findLast(value => value !== null) ?? null
  return [
    `<path d="${path.join('')}" fill="none" stroke-width="1.6" ${style}/>`,
    `<line x1="${keyX}" x2="${keyX + 18}" y1="${keyY}" y2="${keyY}" stroke-width="2.5" ${style}/>`,
    `<text x="${keyX + 24}" y="${keyY + 4}">${escapeText(name)}${last === null ? '' : `: ${format(last)}`}</text>`,
  ].join('')
}

/** The next 1, 2, 2.5 or 5 times a power of ten. */
function niceMax(value: number): number {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 2.5, 5, 10].map(factor => factor * power).find(limit => limit >= value) ?? value
}

const format = (value: number) => String(Number(value.toPrecision(3)))
export const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
