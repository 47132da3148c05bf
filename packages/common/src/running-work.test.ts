import { expect, it } from 'vitest'
import { RunningWork } from './running-work.ts'

it('waits for the work that runs, and forgets what has ended or failed', async () => {
  const work = new RunningWork()
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const lasting = work.add(promise)
  await expect(work.add(Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  const ended: string[] = []
  const settled = work.settled().then(() => ended.push('all'))
  expect(work.size).toBe(1)
  expect(ended).toEqual([])
  end()
  await Promise.all([lasting, settled])
  expect(work.size).toBe(0)
})
