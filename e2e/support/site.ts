import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

export interface Site {
  origin: string
  /** The content of every other URL of the site. */
  html: string
  /** JavaScript modules by their path. */
  modules: Map<string, string>
}

/** Runs a site of another origin: another port. */
export function useSite(): Site {
  const site = { origin: '', html: '', modules: new Map<string, string>() }
  const server = createServer((request, response) => {
    const code = site.modules.get(request.url ?? '')
    if (code !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(code)
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(site.html)
  })
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    site.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return site
}
