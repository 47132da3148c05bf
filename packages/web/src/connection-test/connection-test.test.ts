import { describe, expect, it } from 'vitest'
import { ConnectionTest, type Way } from './connection-test.ts'

const testWhere = async (...open: Way[]) => {
  const test = new ConnectionTest(async way => open.includes(way))
  await test.run()
  return test.get()
}

describe('ConnectionTest', () => {
  it('finds the best way that is open', async () => {
    expect(await testWhere('udp', 'tcp', 'relay')).toEqual({ is: 'done', best: 'udp' })
    expect(await testWhere('tcp', 'relay')).toEqual({ is: 'done', best: 'tcp' })
    expect(await testWhere('relay')).toEqual({ is: 'done', best: 'relay' })
  })

  it('finds none where every way is shut or broken', async () => {
    expect(await testWhere()).toEqual({ is: 'done', best: null })
    const broken = new ConnectionTest(() => Promise.reject(new Error('no candidates')))
    await broken.run()
    expect(broken.get()).toEqual({ is: 'done', best: null })
  })

  it('runs once however often it is told to', async () => {
    let probes = 0
    const test = new ConnectionTest(async () => {
      probes++
      return true
    })
    await Promise.all([test.run(), test.run()])
    expect(probes).toBe(3)
  })
})
