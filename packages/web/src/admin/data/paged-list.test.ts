import { expect, it } from 'vitest'
import type { ApiResponse } from '../../api/api.ts'
import { ConsoleApi } from './console-api.ts'
import { PagedList } from './paged-list.ts'

interface Body {
  users: string[]
  next: string | null
}

/** Requests that the test answers one by one. */
function open() {
  const paths: string[] = []
  const answers: ((answer: ApiResponse) => void)[] = []
  const api = new ConsoleApi({
    request: ({ path }) => {
      paths.push(path)
      return new Promise(resolve => answers.push(resolve))
    },
  })
  const list = new PagedList<string, Body>(api, '/users', ({ users, next }) => ({ rows: users, next }))
  const answer = async (index: number, response: ApiResponse) => {
    answers[index]?.(response)
    await new Promise(resolve => setTimeout(resolve))
  }
  return { list, paths, answer }
}

const page = (users: string[], next: string | null = null): ApiResponse => ({
  is: 'ok',
  body: { users, next },
})

it('loads pages and appends them', async () => {
  const { list, paths, answer } = open()
  void list.search({ search: 'a & b', state: '' })
  await answer(0, page(['a'], '7'))
  void list.loadMore()
  void list.loadMore()
  await answer(1, page(['b']))
  expect(list.get()).toEqual({ is: 'known', rows: ['a', 'b'], next: null, isBusy: false, failure: null })
  void list.loadMore()
  expect(paths).toEqual([
    '/api/v1.0/admin/users?search=a+%26+b',
    '/api/v1.0/admin/users?search=a+%26+b&before=7',
  ])
})

it('polls its first page until further ones are shown', async () => {
  const { list, paths, answer } = open()
  void list.poll()
  await answer(0, page(['a'], '7'))
  void list.poll()
  await answer(1, page(['b'], '7'))
  expect(list.get()).toMatchObject({ rows: ['b'] })
  void list.loadMore()
  await answer(2, page(['c']))
  void list.poll()
  expect(paths).toHaveLength(3)
  void list.refresh()
  await answer(3, page(['d']))
  void list.poll()
  expect(paths).toHaveLength(5)
})

it('drops the answer to an earlier search', async () => {
  const { list, answer } = open()
  void list.search({ search: 'a' })
  void list.search({ search: 'ab' })
  await answer(1, page(['ab']))
  await answer(0, page(['a']))
  expect(list.get()).toMatchObject({ rows: ['ab'] })
})

it('keeps its rows when a refresh fails, and reports a first failure', async () => {
  const { list, answer } = open()
  void list.refresh()
  await answer(0, { is: 'refused', status: 403, code: 'permission_denied', retryAfterMs: null })
  expect(list.get()).toEqual({ is: 'failed', code: 'permission_denied' })
  void list.refresh()
  await answer(1, page(['a']))
  void list.refresh()
  await answer(2, { is: 'unreachable' })
  expect(list.get()).toMatchObject({ is: 'known', rows: ['a'], failure: { code: null }, isBusy: false })
  void list.refresh()
  await answer(3, { is: 'refused', status: 503, code: 'temporarily_unavailable', retryAfterMs: null })
  expect(list.get()).toMatchObject({ rows: ['a'], failure: { code: 'temporarily_unavailable' } })
  void list.refresh()
  await answer(4, { is: 'refused', status: 403, code: 'permission_denied', retryAfterMs: null })
  expect(list.get()).toEqual({ is: 'failed', code: 'permission_denied' })
})
