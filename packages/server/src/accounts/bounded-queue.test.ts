import { describe, expect, it } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'

const never = new AbortController().signal

/** A task that the test completes. */
function task() {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const state = { started: false, end }
  const work = () => {
    state.started = true
    return ended
  }
  return Object.assign(state, { work })
}
const turns = () => new Promise(setImmediate)

describe('a bounded queue', () => {
  it('runs tasks up to its concurrency, and the rest in order', async () => {
    const queue = new BoundedQueue(2, 10)
    const tasks = [task(), task(), task(), task()]
    const done = tasks.map(({ work }) => queue.run(work, never))
    const started = () => tasks.map(each => each.started)
    await turns()
    expect(started()).toEqual([true, true, false, false])
    tasks[1]?.end()
    await turns()
    expect(started()).toEqual([true, true, true, false])
    for (const { end } of tasks) end()
    await Promise.all(done)
  })

  it('refuses tasks at once while it is full, and accepts more when one ends', async () => {
    const queue = new BoundedQueue(1, 1)
    const [first, second, third] = [task(), task(), task()]
    const done = [queue.run(first.work, never), queue.run(second.work, never)]
    await expect(queue.run(third.work, never)).rejects.toMatchObject({ code: 'temporarily_unavailable' })
    first.end()
    await turns()
    const later = queue.run(third.work, never)
    for (const { end } of [second, third]) end()
    await Promise.all([...done, later])
    expect(third.started).toBe(true)
  })

  it('drops aborted tasks and never starts them', async () => {
    const queue = new BoundedQueue(1, 1)
    const [first, gone, next] = [task(), task(), task()]
    const running = queue.run(first.work, never)
    const client = new AbortController()
    const left = queue.run(gone.work, client.signal)
    client.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await expect(queue.run(gone.work, client.signal)).rejects.toThrow('left')
    const waiting = queue.run(next.work, never)
    for (const { end } of [first, next]) end()
    await Promise.all([running, waiting])
    expect(gone.started).toBe(false)
  })

  it('continues after a task that failed', async () => {
    const queue = new BoundedQueue(1, 1)
    await expect(queue.run(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken')
    expect(await queue.run(async () => 5, never)).toBe(5)
  })
})
