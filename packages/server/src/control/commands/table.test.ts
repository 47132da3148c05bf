import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Idempotency } from './command.ts'
import { commandTable } from './table.ts'

const page = readFileSync(new URL('../../../../../docs/control-protocol.md', import.meta.url), 'utf8')

const commandsWith = (idempotency: Idempotency) =>
  Object.entries(commandTable)
    .filter(([, entry]) => entry.idempotency === idempotency)
    .map(([name]) => name)
    .sort()

const namesIn = (text: string) => [...text.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name).sort()

describe('docs/control-protocol.md', () => {
  it('K2 names exactly the commands that are executed again', () => {
    const rule = page.split('\n').find(line => line.startsWith('| K2 |')) ?? ''
    const exceptions = rule.split('Three exceptions: ')[1] ?? ''
    const [perConnection = '', repeatable = '', setsState = ''] = exceptions.split('; ')
    expect(namesIn(perConnection)).toEqual(commandsWith('per-connection'))
    expect(namesIn(repeatable)).toEqual(commandsWith('repeatable'))
    expect(namesIn(setsState).filter(name => name !== 'expected_version')).toEqual(commandsWith('sets-state'))
  })
})
