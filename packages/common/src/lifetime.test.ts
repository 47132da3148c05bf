import { describe, expect, it } from 'vitest'
import { Lifetime } from './lifetime.ts'

describe('Lifetime', () => {
  it('closes in reverse order, each resource after the one before has closed', async () => {
    const closed: string[] = []
    const lifetime = new Lifetime()
    lifetime.adopt('first', name => closed.push(name))
    lifetime.adopt('second', async name => {
      await Promise.resolve()
      closed.push(name)
    })
    lifetime.defer(() => closed.push('third'))
    await Promise.all([lifetime.close(), lifetime.close()])
    expect(closed).toEqual(['third', 'second', 'first'])
  })

  it('closes resources that need no waiting before close() returns', () => {
    const closed: string[] = []
    const lifetime = new Lifetime()
    lifetime.defer(() => closed.push('first'))
    lifetime.defer(() => closed.push('second'))
    void lifetime.close()
    expect(closed).toEqual(['second', 'first'])
  })

  it('closes the others when one fails, and reports which failed', async () => {
    const events: string[] = []
    const lifetime = new Lifetime((error, name) => events.push(`${name}: ${(error as Error).message}`))
    lifetime.defer(() => events.push('closed'))
    lifetime.defer(() => Promise.reject(new Error('rejected')), 'database')
    lifetime.adopt(
      80,
      () => {
        throw new Error('thrown')
      },
      'server',
    )
    await lifetime.close()
    expect(events).toEqual(['server: thrown', 'database: rejected', 'closed'])
  })

  it('closes at once what is added after the end', async () => {
    const closed: string[] = []
    const lifetime = new Lifetime()
    await lifetime.close()
    expect(lifetime.adopt('late', name => closed.push(name))).toBe('late')
    expect(closed).toEqual(['late'])
  })
})
