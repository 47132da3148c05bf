import { describe, expect, it } from 'vitest'
import { parseJson, type Refusal } from './index.ts'

const codeOf = (text: string) => {
  try {
    parseJson(text)
  } catch (error) {
    return (error as Refusal).code
  }
}

describe('parseJson', () => {
  it('returns the result of JSON.parse', () => {
    for (const text of [
      '1',
      '"a:b\\":{"',
      '[]',
      '{"a":{"b":[{"c":null}]},"d:":"\\\\"}',
      '{"__proto__":{"x":1}}',
    ])
      expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it('refuses text that is not JSON', () => {
    for (const text of ['', '{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":NaN}'])
      expect(codeOf(text)).toBe('invalid_json')
  })

  it('refuses a duplicate key at any depth, however it is escaped', () => {
    for (const [text, key] of [
      ['{"a":1,"a":1}', 'a'],
      ['{"a":1,"\\u0061":2}', 'a'],
      ['[{"x":{"y":"z","z":["y","y"] , "y" : 3}}]', 'y'],
      ['{"__proto__":1,"__proto__":2}', '__proto__'],
      ['{"":1,"":2}', ''],
    ] as const)
      expect(() => parseJson(text)).toThrow(
        expect.objectContaining({ code: 'invalid_json', message: expect.stringContaining(` "${key}" `) }),
      )
  })

  it('accepts the same key in different objects', () => {
    expect(parseJson('{"a":{"a":[{"a":1},{"a":2}]}}')).toEqual({ a: { a: [{ a: 1 }, { a: 2 }] } })
  })

  it('parses a text that is nested as deeply as a body may be', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000)
    expect(() => parseJson(deep)).not.toThrow(RangeError)
  })
})
