import { expect, it } from 'vitest'
import { LINT_TIMEOUT_MS, useLinter } from './testing.ts'

const lint = useLinter()

it(
  'the OpenAPI document has nothing that any rule of Spectral for OpenAPI reports',
  async () => {
    const report = await lint('spectral', '--ruleset=ruleset.json', '--fail-severity=hint', '--format=json')
    expect(report.trim()).toMatch(/^\[\]/)
  },
  LINT_TIMEOUT_MS,
)
