import type { Metric } from 'prom-client'

const NAME = 'http_request_duration_seconds'
const BOUNDS_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]

interface Series {
  labels: { method: string; route: string; status: number }
  /** The requests up to each bound that exceed the one before; the last number is of those above all bounds. */
  counts: number[]
  sum: number
}

/** Answered requests: their number, and a histogram of their durations. That of prom-client hashes the labels of each value, at the cost of routing it. */
export class RequestDurations {
  /** A route has few series: they are found without composing a key. */
  readonly #byRoute = new Map<string, Series[]>()

  get requests(): number {
    return this.#count(() => true)
  }

  /** Answered with 5xx. */
  get failures(): number {
    return this.#count(({ labels }) => labels.status >= 500)
  }

  observe(method: string, route: string, status: number, seconds: number): void {
    const series = this.#seriesOf(method, route, status)
    const position = BOUNDS_SECONDS.findIndex(bound => seconds <= bound)
    const bucket = position === -1 ? BOUNDS_SECONDS.length : position
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
    series.sum += seconds
  }

  /** For the registry, which uses no other member of a metric than these. */
  toMetric(): Metric {
    return { name: NAME, get: async () => this.#export() } as unknown as Metric
  }

  #seriesOf(method: string, route: string, status: number): Series {
    const all = this.#byRoute.get(route) ?? []
    const known = all.find(({ labels }) => labels.status === status && labels.method === method)
    if (known) return known
    const labels = { method, route, status }
    const series = { labels, counts: Array<number>(BOUNDS_SECONDS.length + 1).fill(0), sum: 0 }
    this.#byRoute.set(route, [...all, series])
    return series
  }

  #count(isCounted: (series: Series) => boolean): number {
    const counted = [...this.#byRoute.values()].flat().filter(isCounted)
    return counted.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0)
  }

  #export() {
    return {
      name: NAME,
      help: 'Time from the arrival of a request to its response.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...this.#byRoute.values()].flat().flatMap(exportSeries),
    }
  }
}

/** Buckets are cumulative in the format of Prometheus. */
function exportSeries({ labels, counts, sum }: Series) {
  let count = 0
  const buckets = counts.map((own, position) => {
    count += own
    const le = BOUNDS_SECONDS[position] ?? '+Inf'
    return { metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: count },
  ]
}
