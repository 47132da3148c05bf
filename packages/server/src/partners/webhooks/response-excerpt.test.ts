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
  ])('shows %s', async (_, text, shown) => expect(await excerpt(text)).toBe(shown))

  it.each([
    ['nothing', undefined],
    ['spaces', ' \n '],
    ['bytes other than text', Buffer.from([0, 1, 2, 255])],
  ])('is null for %s', async (_, response) => expect(await excerpt(response)).toBeNull())

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
  ])('does not show %s', async (_, text, shown) => expect(await excerpt(text)).toBe(shown))

  it('ends after 500 characters, and cuts none in half', async () => {
    const shown = (await excerpt('😀 '.repeat(2000))) ?? ''
    expect(Array.from(shown)).toHaveLength(500)
    expect(shown).toMatch(/^(😀 )+…$|^(😀 )+😀…$/u)
  })

  it('lets other work come between', async () => {
    let turns = 0
    const work = () => {
      turns += 1
      next = setImmediate(work)
    }
    let next = setImmediate(work)
    await excerptOf(Buffer.from('Internal Server Error'), {
      webhook,
      delivery: { body: 'x'.repeat(10_000_000) },
    })
    clearImmediate(next)
    expect(turns).toBeGreaterThan(5)
  })

  it('finds passages anywhere in a delivery of ten megabytes', async () => {
    const about = (text: string, passage: string) => {
      const half = text.repeat(500_000)
      return { webhook, delivery: { body: half + passage + half } }
    }
    const passage = 'She said that she would not come tomorrow.'
    const response = Buffer.from(`cannot parse: ${passage} ${'d e f a b c '.repeat(10)}row 12`)
    expect(await excerptOf(response, about('a b c d e ', passage))).toBe(
      `cannot parse:*** ${'d e f a b c '.repeat(10)}row 12`,
    )
    expect(await excerptOf(response, about('d e f a b c ', passage))).toBe('cannot parse:*** row 12')
    expect(await excerptOf(response, about('а б в г д ', passage.slice(0, 30)))).toBe(
      `cannot parse:*** me tomorrow. ${'d e f a b c '.repeat(10)}row 12`,
    )
  })
})
