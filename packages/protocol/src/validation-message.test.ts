import { Ajv } from 'ajv'
import { Type } from 'typebox'
import { Errors } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { formats } from './formats.ts'
import { HostedRoomRequest, PlatformMessage, UsageQuery } from './integration/v2/index.ts'
import { TimePageQuery } from './paging.ts'
import { validationMessage } from './validation-message.ts'

const strict = { additionalProperties: false }
const Person = Type.Object({ name: Type.String({ maxLength: 3 }) }, strict)
const schema = Type.Object(
  {
    login: Type.String({ minLength: 1, maxLength: 4 }),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    board: Type.Optional(Type.Unsafe({ enum: ['on', null] })),
    two: Type.Optional(Type.Literal(2)),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    on: Type.Optional(Type.Boolean()),
    note: Type.Optional(Type.Unsafe({ type: ['string', 'null'], format: 'text' })),
    time: Type.Optional(Type.String({ format: 'zoned-time' })),
    id: Type.Optional(Type.String({ pattern: '^(?!\\.{1,2}$)' })),
    ...TimePageQuery,
    teacher: Type.Optional(Person),
    people: Type.Optional(Type.Array(Person, { minItems: 1, maxItems: 2, uniqueItems: true })),
  },
  strict,
)
const ajv = new Ajv({ formats, allowUnionTypes: true })
const fits = ajv.compile(schema)

const byAjv = (value: unknown) => {
  fits(value)
  const [error] = fits.errors ?? []
  return error && validationMessage(error, 'body')
}
const byTypeBox = (value: unknown) => {
  const [error] = Errors(schema, value)
  return error && validationMessage(error, 'body')
}

const login = 'anna'
const ben = { name: 'Ben' }

describe('a validation message', () => {
  it.each<[unknown, string]>([
    [5, 'body must be an object'],
    [[], 'body must be an object'],
    [{}, 'body.login is required'],
    [{ login: 5 }, 'body.login must be a string'],
    [{ login: '' }, 'body.login must have at least 1 character'],
    [{ login: 'xxxxx' }, 'body.login must have at most 4 characters'],
    [{ login, zzz: 1 }, 'body has an unknown field zzz'],
    [{ login, kind: 'c' }, 'body.kind must be one of a, b'],
    [{ login, board: 'x' }, 'body.board must be one of on, null'],
    [{ login, two: 3 }, 'body.two must be 2'],
    [{ login, count: 1.5 }, 'body.count must be an integer'],
    [{ login, count: 0 }, 'body.count must be at least 1'],
    [{ login, count: 4 }, 'body.count must be at most 3'],
    [{ login, on: 'yes' }, 'body.on must be true or false'],
    [{ login, note: 5 }, 'body.note must be a string or null'],
    [{ login, id: '..' }, 'body.id must not be "." or ".."'],
    [{ login, limit: '201' }, 'body.limit must be a whole number from 1 to 200'],
    [{ login, before: '7' }, 'body.before must be the value of next in the previous page'],
    [{ login, teacher: 'x' }, 'body.teacher must be an object'],
    [{ login, teacher: {} }, 'body.teacher.name is required'],
    [{ login, teacher: { name: 'x', q: 1 } }, 'body.teacher has an unknown field q'],
    [{ login, teacher: { name: 'Anna' } }, 'body.teacher.name must have at most 3 characters'],
    [{ login, people: {} }, 'body.people must be an array'],
    [{ login, people: [] }, 'body.people must not be empty'],
    [{ login, people: [ben, {}] }, 'body.people.1.name is required'],
    [{ login, people: [ben, ben] }, 'body.people must not hold the same item twice'],
    [{ login, people: [ben, { name: 'A' }, { name: 'B' }] }, 'body.people must have at most 2 items'],
  ])('of %j is "%s", whichever library validates', (value, message) => {
    expect([byAjv(value), byTypeBox(value)]).toEqual([message, message])
  })

  it('explains a format', () => {
    expect(byAjv({ login, time: 'today' })).toMatch(/^body\.time must be an ISO 8601 time with a timezone/)
    expect(byAjv({ login, note: 'a\0' })).toBe('body.note must be well-formed text without NUL characters')
  })

  it('explains patterns in words', () => {
    const explained = (schema: object, value: unknown) => {
      const validate = new Ajv({ formats, allowUnionTypes: true }).compile(schema)
      validate(value)
      return validationMessage(validate.errors?.[0] as never, '', 'The body')
    }
    expect(explained(UsageQuery, { month: '2030-13' })).toBe('month must be a month such as 2030-09')
    expect(explained(PlatformMessage, { text: ' ' })).toBe('text must not be blank')
    const room = (body: object) => explained(HostedRoomRequest, body)
    expect(room({ brand: { accent: 'red' } })).toBe('brand.accent must be a colour such as #0a7d5a')
    expect(room({ transcription: { language: 'e' } })).toMatch(/must be a language such as en or pt-BR$/)
  })

  it('repeats no long names of the input', () => {
    expect(byTypeBox({ login, ['z'.repeat(5_000)]: 1 })?.length).toBeLessThan(100)
    expect(byAjv({ login, ['z'.repeat(5_000)]: 1 })?.length).toBeLessThan(100)
  })
})
