import { expect, it } from 'vitest'
import { LINT_TIMEOUT_MS, useLinter } from './testing.ts'

const lint = useLinter()

// Those of Spectral take ten times as long: lint.endurance.test.ts.
it(
  'the OpenAPI document has nothing that the recommended rules of Redocly report',
  async () => {
    const report = await lint('redocly', '--extends=recommended', '--format=json')
    expect(report).not.toMatch(/^failed/)
    expect(JSON.parse(report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1))).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
    })
  },
  LINT_TIMEOUT_MS,
)
