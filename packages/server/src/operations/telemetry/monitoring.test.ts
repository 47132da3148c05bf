import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, it, vi } from 'vitest'
import { documentedMetrics } from '../../testing/documented-metrics.ts'

const file = (path: string) => fileURLToPath(new URL(`../../../../../deploy/${path}`, import.meta.url))
const read = (path: string) => readFileSync(file(path), 'utf8')
const promtool = (...args: string[]) => execFileSync('promtool', args, { encoding: 'utf8', stdio: 'pipe' })

vi.setConfig({ testTimeout: 180_000 }) // promtool computes hours of series, which takes seconds of a busy machine

const ALERTS = 'prometheus/lectern-alerts.yml'
const dashboards = readdirSync(file('grafana')).map(name => JSON.parse(read(`grafana/${name}`)) as Dashboard)

interface Dashboard {
  uid: string
  title: string
  panels: Panel[]
  templating: { list: { query: string | { query: string } }[] }
}

interface Panel {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { refId: string; expr: string; legendFormat: string }[]
}

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups.find(group => group !== undefined) as string)
const alertNames = matches(read(ALERTS), /^ {6}- alert: (\w+)$/gm)
const alertExprs = matches(read(ALERTS), /^ {8}expr: (?:'(.+)'|"(.+)"|(.+))$/gm)
const panelExprs = dashboards.flatMap(({ panels }) =>
  panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
)

/** The metrics that the programs export, and those that prom-client and Prometheus add. */
function knownMetrics(): Set<string> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const documented = ['Servers', 'Media nodes', 'Recorders and transcribers'].flatMap(each =>
    documentedMetrics(each),
  )
  const histogram = ['bucket', 'sum', 'count'].map(suffix => `http_request_duration_seconds_${suffix}`)
  return new Set(['up', ...documented, ...histogram, ...registry.getMetricsAsArray().map(({ name }) => name)])
}

/** The names of series in an expression: neither labels nor functions nor operators. */
const metricsIn = (expr: string): string[] =>
  matches(
    expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' '),
    /(?<![\w.$])([a-z_:][\w:]*)(?!\w|\s*\()/gi,
  ).filter(name => !/^(?:and|or|unless|bool|by|without|offset)$/.test(name))

/** The expression with the variables replaced as Grafana does. */
const concrete = (expr: string) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')

describe('the alerts', () => {
  it('are each tested, and fire as promtool expects', () => {
    expect(alertNames.length).toBeGreaterThan(20)
    expect(alertExprs).toHaveLength(alertNames.length)
    const tested = matches(read('prometheus/lectern-alerts.test.yml'), /alertname: (\w+)/g)
    expect([...new Set(tested)].sort()).toEqual([...alertNames].sort())
    expect(promtool('check', 'config', '--syntax-only', file('prometheus/prometheus.yml'))).toContain(
      'SUCCESS',
    )
    expect(promtool('test', 'rules', file('prometheus/lectern-alerts.test.yml'))).toContain('SUCCESS')
  })
})

describe('alerts and dashboards', () => {
  it('use only metrics that exist', () => {
    const known = knownMetrics()
    const used = [...alertExprs, ...panelExprs].map(expr => ({ expr, metrics: metricsIn(expr) }))
    for (const { expr, metrics } of used) {
      expect(metrics, expr).not.toEqual([])
      for (const name of metrics) expect(known, expr).toContain(name)
    }
  })

  it('show every metric of docs/metrics.md somewhere', () => {
    const shown = new Set(
      [...alertExprs, ...panelExprs].flatMap(metricsIn).map(name => name.replace(/_(?:bucket|count)$/, '')),
    )
    const documented = ['Servers', 'Media nodes', 'Recorders and transcribers'].flatMap(each =>
      documentedMetrics(each),
    )
    expect(documented.filter(name => !shown.has(name))).toEqual([])
  })

  it('have expressions that Prometheus parses', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-promql-'))
    const rules = panelExprs.map((expr, index) => ({ record: `panel:${index}`, expr: concrete(expr) }))
    const path = join(folder, 'rules.yml')
    writeFileSync(path, JSON.stringify({ groups: [{ name: 'panels', rules }] }))
    expect(promtool('check', 'rules', path)).toContain(`${rules.length} rules found`)
    rmSync(folder, { recursive: true })
  })
})

describe.each(dashboards.map(each => [each.title, each] as const))(
  'the dashboard "%s"',
  (_, { uid, panels }) => {
    it('has panels with ids of their own that do not overlap', () => {
      expect(uid).toMatch(/^lectern-[a-z]+$/)
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
      const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
        expect(x + w).toBeLessThanOrEqual(24)
        return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`)
      })
      expect(new Set(cells).size).toBe(cells.length)
    })
  },
)
