import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logged(record: object): string {
  const lines: string[] = []
  createLog('info', { write: line => lines.push(line) }).info(record, 'hello')
  return lines.join('')
}

describe('createLog', () => {
  it('writes JSON lines with the name of the level and a time', () => {
    expect(JSON.parse(logged({ port: 1 }))).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      port: 1,
      msg: 'hello',
    })
  })

  it.each(['authorization', 'password', 'secret', 'client_secret', 'access_token', 'refresh_token', 'token'])(
    'hides %s, at the top and one level down',
    name => {
      const text = logged({ [name]: 'xyz-1', body: { [name]: 'xyz-2' }, headers: { [name]: 'xyz-3' } })
      expect(text).not.toContain('xyz')
      expect(text.match(/\[redacted\]/g)).toHaveLength(3)
    },
  )
})
