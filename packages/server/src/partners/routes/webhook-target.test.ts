import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Partner } from '../../testing/partner.ts'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let school: Partner
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addPartner('school')
})
afterAll(() => server.close())

const secret = 'a secret of some length'
const put = (url: string, partner = school) => partner.call('PUT', '/webhook', { body: { url, secret } })

describe('the url of a webhook', () => {
  it.each([
    'https://1.1.1.1/hook',
    'https://1.1.1.1:8443/hook?a=b',
    'https://[2606:4700:4700::1111]/',
    'https://name.that-cannot-be-resolved.invalid/hook', // resolved again at every delivery
  ])('may be %s', async url => {
    expect((await put(url)).body).toMatchObject({ result: 200, url })
  })

  it.each([
    'http://1.1.1.1/hook',
    'ftp://1.1.1.1/hook',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//1.1.1.1/hook',
    '1.1.1.1',
    'https://',
    'rubbish',
    'https:1.1.1.1',
    'https:/1.1.1.1/',
    'https:///1.1.1.1/',
    'https:\\\\1.1.1.1\\',
    'https://1.1.1.1\\@8.8.8.8/',
    ' https://1.1.1.1/',
    'https://1.1.1.1/a b',
    'https://1.1.\n1.1/',
    'https://1.1.1.1:0/',
  ])('must be https: %j', async url => {
    expect(await put(url)).toEqual(refused(400, 'invalid_argument', 'url must be an https address.'))
  })

  it.each(['https://user:pass@1.1.1.1/', 'https://user@1.1.1.1/', 'https://:pass@1.1.1.1/'])(
    'must contain no credentials: %s',
    async url => {
      expect(await put(url)).toEqual(refused(400, 'invalid_argument', expect.stringContaining('password')))
    },
  )

  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://１２７.0.0.1/',
    'https://0.0.0.0/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://a.localhost./',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[ff02::1]/',
    'https://[2001:db8::1]/',
  ])('must have a public address: %s', async url => {
    expect(await put(url)).toEqual(refused(400, 'invalid_argument', 'url must lead to a public address.'))
  })
})

describe('AllowInsecureWebhooks', () => {
  it('permits http and every address, and nothing else', async () => {
    const lenient = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
    const partner = await lenient.addPartner('school')
    for (const url of ['http://127.0.0.1:3000/hook', 'https://10.0.0.1/', 'http://localhost/'])
      expect((await put(url, partner)).body).toMatchObject({ result: 200, url })
    for (const url of ['ftp://127.0.0.1/', 'http://user@127.0.0.1/', 'rubbish'])
      expect(await put(url, partner)).toEqual(refused(400, 'invalid_argument'))
    await lenient.close()
  })
})
