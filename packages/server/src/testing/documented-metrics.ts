import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DOCUMENT = fileURLToPath(new URL('../../../../docs/metrics.md', import.meta.url))

/** The metrics in the table of a section of docs/metrics.md, in its order; only those whose row matches. */
export function documentedMetrics(section: string, rows: (row: string) => boolean = () => true): string[] {
  const [, rest = ''] = readFileSync(DOCUMENT, 'utf8').split(`\n## ${section}\n`)
  const [own = ''] = rest.split('\n## ')
  const table = own.split('\n').filter(line => line.startsWith('| `') && rows(line))
  return table.flatMap(row =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string),
  )
}

/** The names of exported metrics, all or of one type, without former names and the metrics of Node.js itself. */
export const exportedMetrics = (text: string, type = '\\w+'): string[] => {
  const former = new Set([...text.matchAll(/^# HELP (\S+) Former name of /gm)].map(([, name]) => name))
  return [...text.matchAll(new RegExp(`^# TYPE (\\S+) ${type}$`, 'gm'))]
    .map(([, name]) => name as string)
    .filter(name => !/^(process|nodejs)_/.test(name) && !former.has(name))
}
