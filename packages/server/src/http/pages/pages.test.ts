import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../../testing/refused.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const html = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
const get = (path: string, options = {}) => server.call('GET', path, options)

describe('the hosted pages', () => {
  it('are one document, whatever the link', async () => {
    const { body } = await get('/')
    expect(body).toMatch(/^<!doctype html>/i)
    for (const path of ['/j/one', '/j/two?role=teacher', '/conferences/k7mq-x2wd9-rtnh'])
      expect((await get(path)).body).toBe(body)
  })

  it('load all their assets from here', async () => {
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

  it('are not served under the name of their file, nor anything beside them', async () => {
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

  it('tell a person of an unknown address, and a program, each in its own way', async () => {
    for (const path of ['/nothing', '/j/token/', '/j/token/x', '/conferences/']) {
      const page = await get(path, html)
      expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(page.headers['content-security-policy']).toContain("default-src 'none'")
      expect(await get(path)).toEqual(refused(404, 'not_found'))
    }
    expect(await get('/api/nothing', html)).toEqual(refused(404, 'not_found'))
    expect(await get('/api', html)).toEqual(refused(404, 'not_found'))
  })

  it('take no other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of ['/', '/j/token', '/nothing'])
        expect(await server.call(method, path, { ...html, raw: '{' })).toEqual(refused(404, 'not_found'))
    expect((await server.call('HEAD', '/j/token')).status).toBe(200)
  })
})
