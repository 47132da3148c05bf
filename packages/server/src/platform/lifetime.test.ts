import { describe, expect, it } from 'vitest'
import { Lifetime } from './lifetime.ts'
import { createLog } from './log.ts'

describe('Lifetime', () => {
  it('closes what it owns, last opened first, once, and continues after a failure', async () => {
    const lines: string[] = []
    const lifetime = new Lifetime(createLog('error', { write: line => lines.push(line) }))
    const closed: string[] = []
    lifetime.own('first', 1, () => closed.push('first'))
    lifetime.own('second', 2, async () => {
      throw new Error('stuck')
    })
    lifetime.own('third', 3, () => closed.push('third'))
    await Promise.all([lifetime.close(), lifetime.close()])
    expect(closed).toEqual(['third', 'first'])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"resource":"second"')
  })
})
