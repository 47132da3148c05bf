import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { workerMemory } from './worker-memory.ts'

const read = (path: string) => readFileSync(new URL(`../../../../deploy/${path}`, import.meta.url), 'utf8')

/** A converter elsewhere has no unit. */
const { converter: _, ...standalone } = workerMemory
const entries = Object.entries(standalone).map(
  ([worker, settings]) => [worker, Object.entries(settings)] as const,
)

it.each(entries)('has the settings of the unit of a standalone %s', (worker, settings) => {
  const unit = read(`debian/systemd/lectern-${worker}.service`)
  const [line = ''] = unit.split('\n').filter(each => each.startsWith('Environment=NODE_OPTIONS'))
  expect(line).toBe(`Environment=${settings.map(([name, value]) => `${name}=${value}`).join(' ')}`)
})

it.each(entries)('has the settings of a %s in Kubernetes', (worker, settings) => {
  const chart = read('helm/lectern/templates/workers.yaml')
  const blocks = /env:\n(.*?)\{\{- if eq \$kind "recorder" \}\}(.*?)\{\{- end \}\}/s
  const [, all = '', ofRecorder = ''] = blocks.exec(chart) ?? []
  const found = [
    ...`${all}${worker === 'recorder' ? ofRecorder : ''}`.matchAll(/name: (\w+)\n +value: "?([\w=-]+)"?/g),
  ]
  expect(found.map(([, name, value]) => [name, value])).toEqual(settings)
})
