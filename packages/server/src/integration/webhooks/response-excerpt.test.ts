import { describe, expect, it } from 'vitest'
import { excerptOf } from './response-excerpt.ts'

const SECRET = 'correct horse battery staple'
const webhook = { url: 'https://partner.example/hooks/T0P-5ecret?key=s%20pace&v=1', secret: SECRET }
const delivery = {
  body: JSON.stringify({ id: 'wh_0123456789abcdef', data: { text: 'Она сказала, что завтра не придёт.' } }),
}
const excerpt = (text: string | Buffer | undefined) =>
  excerptOf(text === undefined ? undefined : Buffer.from(text), { webhook, delivery })

describe('the excerpt of a response', () => {
  it.each([
    ['a message', 'Internal Server Error', 'Internal Server Error'],
    ['several lines', '<html>\r\n\t<h1>502</h1>\u202e</html>', '<html> <h1>502</h1> </html>'],
    ['names without digits', 'java.lang.IllegalArgumentException', 'java.lang.IllegalArgumentException'],
    ['short words and numbers', 'row 12 of 1234567890', 'row 12 of 1234567890'],
  ])('shows %s', (_, text, shown) => expect(excerpt(text)).toBe(shown))

  it.each([
    ['nothing', undefined],
    ['spaces', ' \n '],
    ['something that is no text', Buffer.from([0, 1, 2, 255])],
  ])('is null for %s', (_, response) => expect(excerpt(response)).toBeNull())

  it.each([
    ['the secret', `bad secret "${SECRET}"`, 'bad secret "*** "'],
    [
      'the address',
      'Cannot POST https://partner.example/hooks/T0P-5ecret?key=s%20pace&v=1',
      'Cannot POST ***',
    ],
    ['the path of the address', 'Cannot POST /hooks/T0P-5ecret', 'Cannot POST ***'],
    ['a parameter of the address, decoded', 'unknown key "s pace"', 'unknown key "*** "'],
    ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.x', 'Bearer *** .*** .x'],
    ['a signature', `expected sha256=${'0a'.repeat(32)}`, 'expected ***'],
    ['a passage of the delivery', 'cannot parse: она сказала, что завтра не придёт', 'cannot parse: о***'],
    ['all of the delivery', `received ${delivery.body}`, 'received ***'],
  ])('does not show %s', (_, text, shown) => expect(excerpt(text)).toBe(shown))

  it('ends after 500 characters, and cuts none in half', () => {
    const shown = excerpt('😀 '.repeat(2000)) ?? ''
    expect(Array.from(shown)).toHaveLength(500)
    expect(shown).toMatch(/^(😀 )+…$|^(😀 )+😀…$/u)
  })

  it('takes milliseconds for a long delivery', () => {
    const text = 'а б в г д '.repeat(100_000)
    const searched = Buffer.from('ж з и к л м н '.repeat(400))
    expect(excerptOf(searched, { webhook, delivery: { body: text } })).toMatch(/^ж з и/)
  })
})
