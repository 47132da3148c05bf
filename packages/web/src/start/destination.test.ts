import { describe, expect, it } from 'vitest'
import { readDestination } from './destination.ts'

describe('readDestination', () => {
  const read = (typed: string) => readDestination(typed, 'https://meet.example')

  it('accepts a tag, a path, a URL, and a URL without its scheme', () => {
    const here = { is: 'here', path: '/conferences/k7mq-x2wd9-rtnh' }
    for (const typed of [
      ' k7mq-x2wd9-rtnh ',
      '/conferences/k7mq-x2wd9-rtnh',
      'https://meet.example/conferences/k7mq-x2wd9-rtnh',
      'http://meet.example/conferences/k7mq-x2wd9-rtnh?from=mail#x',
      'meet.example/conferences/k7mq-x2wd9-rtnh',
      '<https://meet.example/conferences/k7mq-x2wd9-rtnh>',
      'Lesson (https://meet.example/conferences/k7mq-x2wd9-rtnh).',
      'k7mq-x2wd9-rtnh.',
      '/conferences/k7mq-x2wd9-rtnh).',
    ])
      expect(read(typed), typed).toEqual(here)
    expect(read('https://meet.example/j/abc_DEF')).toEqual({ is: 'here', path: '/j/abc_DEF' })
    expect(read('урок')).toMatchObject({ is: 'here' })
  })

  it('distinguishes a link of another server from an invalid one', () => {
    expect(read('https://other.example/conferences/k7mq')).toEqual({ is: 'elsewhere' })
    for (const typed of ['', '..', 'two words', 'https://meet.example/', 'javascript:alert(1)', 'https://'])
      expect(read(typed), typed).toEqual({ is: 'nothing' })
  })
})
