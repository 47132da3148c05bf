import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { sendError } from '../errors.ts'
import { pageRoutes } from './routes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
const get = (path: string, options = {}) => server.call('GET', path, options)

describe('the hosted pages', () => {
  it('are one document for every link', async () => {
    const { body } = await get('/')
    expect(body).toMatch(/^<!doctype html>/i)
    for (const path of [
      '/j/one',
      '/j/two?role=teacher',
      '/j/three/',
      '/conferences/k7mq-x2wd9-rtnh/',
      '/invite/one/',
      '/meetings/',
      '/conferences/k7mq-x2wd9-rtnh',
      '/invite/one',
      '/conversations/direct:7-8',
      '/contacts',
      '/calls/12',
      '/meetings',
      '/recordings/7',
      '/settings',
      '/admin/users/7',
      '/integrations',
      '/integrations/school%2F1/rooms/lesson%2F1',
    ])
      expect((await get(path)).body).toBe(body)
  })

  it('open for a browser whatever percent signs were copied with a link', async () => {
    const { body } = await get('/')
    for (const path of ['/j/one%', '/j/one%zz', '/conferences/%c3%28?layout=%', '/%'])
      expect((await get(path, html)).body, path).toBe(body)
    expect((await get('/api/v1.0/me%', html)).status).toBe(400)
  })

  it('load all their assets from this server', async () => {
    const { body } = await get('/')
    const links = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1] as string)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links.filter(each => !each.startsWith('data:'))) {
      expect(link).toMatch(/^\/[^/]/)
      const { status, headers } = await get(link)
      expect(status, link).toBe(200)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    const asset = links.find(link => link.startsWith('/assets/')) ?? ''
    expect((await get(asset)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('are not served under their file name, nor is any other file beside them', async () => {
    for (const path of [
      '/index.html',
      '/assets',
      '/assets/',
      '/../package.json',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/..%2fpackage.json',
      '/%00',
    ])
      expect([400, 403, 404], path).toContain((await get(path)).status)
  })

  it('answer unknown URLs with a page for browsers and with JSON for programs', async () => {
    for (const path of ['/nothing', '/j/', '/j/token/x', '/conferences/']) {
      const page = await get(path, html)
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      expect(await get(path)).toEqual(refused(404, 'not_found'))
    }
    expect(await get('/api/nothing', html)).toEqual(refused(404, 'not_found'))
    expect(await get('/api', html)).toEqual(refused(404, 'not_found'))
  })

  it('support GET and HEAD only', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of ['/', '/j/token', '/nothing'])
        expect(await server.call(method, path, { ...html, raw: '{' })).toEqual(refused(404, 'not_found'))
    expect((await server.call('HEAD', '/j/token')).status).toBe(200)
  })
})

/** Compressed files are representations of the built files, and have no URLs of their own. */
describe('the files of the pages', () => {
  const scriptOf = (document: string) => /src="([^"]+\.js)"/.exec(document)?.[1] as string
  const fetchAs = (path: string, encoding: string, more: RequestInit = {}) =>
    fetch(server.url + path, {
      ...more,
      headers: { ...more.headers, 'accept-encoding': encoding },
    })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
    ['deflate', null],
    ['zstd', null],
    ['br;q=0, gzip;q=0', null],
    ['', null],
  ])('for a browser that accepts "%s" are sent as %s, and are the same', async (accepted, encoding) => {
    const { body: document } = await get('/')
    const script = scriptOf(document)
    const { body: plain, headers: plainHeaders } = await get(script)
    const answer = await fetchAs(script, accepted)
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding])
    expect(await answer.text()).toBe(plain)
    expect(answer.headers.get('content-type')).toMatch(/^(text|application)\/javascript; charset=utf-8$/)
    expect(answer.headers.get('content-type')).toBe(plainHeaders['content-type'])
    expect(answer.headers.get('vary')).toBe('Accept-Encoding')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const size = Number(answer.headers.get('content-length'))
    expect(size).toBeLessThan(encoding ? plain.length / 2.5 : plain.length * 2)
    const page = await fetchAs('/j/token', accepted)
    expect([page.headers.get('content-encoding'), page.headers.get('vary')]).toEqual([
      encoding,
      'Accept-Encoding',
    ])
    expect(await page.text()).toBe(document)
  })

  it('have an ETag for each encoding and answer 304', async () => {
    const etags = new Set<string | null>()
    for (const path of ['/', scriptOf((await get('/')).body)])
      for (const encoding of ['br', 'gzip', 'identity']) {
        const etag = (await fetchAs(path, encoding)).headers.get('etag') ?? ''
        etags.add(etag)
        const again = await get(path, { headers: { 'accept-encoding': encoding, 'if-none-match': etag } })
        expect([again.status, again.body, again.headers.vary]).toEqual([304, '', 'Accept-Encoding'])
      }
    expect(etags.size).toBe(6)
  })

  it('answer HEAD with the headers of GET', async () => {
    for (const path of ['/', '/j/token', scriptOf((await get('/')).body)])
      for (const encoding of ['br', 'identity']) {
        const [whole, head] = [
          await fetchAs(path, encoding),
          await fetchAs(path, encoding, { method: 'HEAD' }),
        ]
        await whole.arrayBuffer()
        expect([head.status, await head.text()]).toEqual([200, ''])
        for (const name of ['content-type', 'content-encoding', 'content-length', 'etag', 'vary'])
          expect(head.headers.get(name), `${path} ${name}`).toBe(whole.headers.get(name))
      }
  })

  it('are not served under the names of their compressed forms', async () => {
    const script = scriptOf((await get('/')).body)
    for (const path of [`${script}.br`, `${script}.gz`, '/index.html.br'])
      expect((await get(path)).status, path).toBe(404)
  })

  it('load while an upgrade has replaced their files, and the server is not restarted yet', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-pages-'))
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), 'old')
    writeFileSync(join(folder, 'assets/index-old.js'), 'old')
    const app = fastify()
    app.setErrorHandler(sendError)
    await app.register(pageRoutes({ folder, headers: {}, publicUrl: () => '' }))
    writeFileSync(join(folder, 'assets/index-new.js'), 'new')
    writeFileSync(join(folder, 'assets/index-new.js.br'), 'new')
    const load = async (name: string) => {
      const { statusCode, body, headers } = await app.inject(`/assets/${name}`)
      return statusCode === 200 ? [body, headers['cache-control']] : [statusCode, headers['cache-control']]
    }
    expect(await load('index-new.js')).toEqual(['new', 'public, max-age=31536000, immutable'])
    for (const name of ['index-none.js', 'index-new.js.br', '..%2findex.html', '', '.env'])
      expect(await load(name), name).toEqual([404, 'no-store'])
    await app.close()
    rmSync(folder, { recursive: true })
  })

  it('answer a conditional request for an unknown URL with 404', async () => {
    const page = await get('/nothing', html)
    expect([page.status, page.headers.etag]).toEqual([404, undefined])
    const { etag = '' } = (await get('/')).headers
    const again = await get('/nothing', { headers: { ...html.headers, 'if-none-match': etag } })
    expect([again.status, again.body]).toEqual([404, page.body])
  })

  it('that block the first paint are below 118 kB, so that everything before the prejoin screen is below 120', async () => {
    const { body: document } = await get('/')
    const paths = [...document.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(match => match[1] as string)
    const sizes = await Promise.all(
      paths.map(async path => Number((await fetchAs(path, 'br')).headers.get('content-length'))),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(118_000)
  })
})
