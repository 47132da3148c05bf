import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ApiResponse } from '../../api/api.ts'
import { Directory } from './directory.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(answer: (search: string) => ApiResponse) {
  const paths: string[] = []
  const directory = new Directory({
    request: async ({ path }) => {
      paths.push(path)
      return answer(new URL(path, 'http://x').searchParams.get('search') ?? '')
    },
  })
  const type = async (text: string, pauseMs = 300) => {
    directory.search(text)
    await vi.advanceTimersByTimeAsync(pauseMs)
  }
  return { directory, paths, type }
}

const found = (name: string): ApiResponse => ({
  is: 'ok',
  body: { result: 200, users: [{ user_id: 8, login: 'ben', display_name: name }] },
})

it('searches when the user stops typing', async () => {
  const { directory, paths, type } = start(found)
  await type('a', 10)
  await type('a&b ')
  expect(paths).toEqual(['/api/v1.0/users?search=a%26b'])
  expect(directory.get()).toEqual([{ userId: '8', login: 'ben', name: 'a&b' }])
  await type('  ')
  expect(directory.get()).toEqual([])
})

it('shows the login of people without a name', async () => {
  const { directory, type } = start(() => found(''))
  await type('b')
  expect(directory.get()).toMatchObject([{ name: 'ben' }])
})

it('queries a server without a directory once', async () => {
  const refused: ApiResponse = { is: 'refused', status: 403, code: 'permission_denied', retryAfterMs: null }
  const { directory, paths, type } = start(() => refused)
  await type('a')
  await type('ab')
  expect([paths.length, directory.get()]).toEqual([1, []])
})
