import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { Refusal } from '@lectern/protocol'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'

interface Parts {
  /** The built web pages. */
  folder: string
  headers: Record<string, string>
}

/**
 * The hosted pages. One document serves every link; it asks the API what the link opens, so no token is read
 * here.
 */
export const pageRoutes =
  ({ folder, headers }: Parts): FastifyPluginAsync =>
  async app => {
    const document = readFileSync(join(folder, 'index.html'))
    const sendPage = (_request: unknown, reply: FastifyReply) =>
      reply
        .headers({ ...headers, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(document)

    for (const url of ['/', '/j/:token', '/conferences/:tag'])
      app.get<{ Params: Record<string, string> }>(url, { schema: { hide: true } }, (request, reply) =>
        Object.values(request.params).includes('') ? reply.callNotFound() : sendPage(request, reply),
      )

    await app.register(async files => {
      files.addHook('onRequest', async (request, reply) => {
        // Names of assets hold a hash of their content.
        const isHashed = request.url.startsWith('/assets/')
        const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache'
        reply.headers({ ...headers, 'cache-control': cacheControl })
      })
      await files.register(fastifyStatic, {
        root: folder,
        index: false,
        wildcard: false,
        globIgnore: ['index.html'], // it is sent above, with its headers
        schemaHide: true,
        decorateReply: false,
        cacheControl: false,
      })
    })

    // A person who mistyped an address gets a page, a program gets the error of every API.
    app.setNotFoundHandler((request, reply) => {
      const isPerson = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
      if (!isPerson || /^\/api\b/.test(request.url)) throw new Refusal('not_found')
      return sendPage(request, reply.code(404))
    })
  }
