import { describe, expect, it } from 'vitest'
import { ConnectionTest, ROUTES, type Route, type Target } from './connection-test.ts'

async function test(target: Target) {
  const test = new ConnectionTest(async () => target)
  await test.run()
  return test.get()
}

const testWhere = (...open: Route[]) => test({ routes: ROUTES, reach: async route => open.includes(route) })

describe('ConnectionTest', () => {
  it('finds the best route that works', async () => {
    expect(await testWhere('udp', 'tcp', 'relay')).toMatchObject({ is: 'done', best: 'udp' })
    expect(await testWhere('tcp', 'relay')).toMatchObject({ is: 'done', best: 'tcp' })
    expect(await testWhere('relay')).toEqual({
      is: 'done',
      best: 'relay',
      results: { udp: false, tcp: false, relay: true },
    })
  })

  it('finds none where every route fails', async () => {
    expect(await testWhere()).toMatchObject({ is: 'done', best: null })
    const broken = () => Promise.reject(new Error('no candidates'))
    expect(await test({ routes: ROUTES, reach: broken })).toMatchObject({ is: 'done', best: null })
  })

  it('tests only the routes that the server offers', async () => {
    const found = await test({ routes: ['udp', 'tcp'], reach: async () => true })
    expect(found).toEqual({ is: 'done', best: 'udp', results: { udp: true, tcp: true } })
  })

  it('reports nothing about the network when the server cannot be reached', async () => {
    const test = new ConnectionTest(() => Promise.reject(new Error('unreachable')))
    await test.run()
    expect(test.get()).toEqual({ is: 'failed' })
  })

  it('runs once however often it is started', async () => {
    let targets = 0
    const test = new ConnectionTest(async () => {
      targets++
      return { routes: ROUTES, reach: async () => true }
    })
    await Promise.all([test.run(), test.run()])
    expect(targets).toBe(1)
  })
})
