import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import fastifyStatic, { type SendOptions } from '@fastify/static'
import { Refusal } from '@lectern/protocol'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { noAuth } from '../auth-policy.ts'
import { ASSET_HEADERS, CLIENT_HEADERS } from '../headers.ts'
import { acceptsPage } from './page-url.ts'

const DOCUMENT = 'index.html'
const COMPRESSED = /\.(br|gz)$/

/** Names of assets contain a hash of their content. */
const FOR_A_YEAR = 'public, max-age=31536000, immutable'
/** Pages of partners load it with each room. */
const FOR_TEN_MINUTES = 'public, max-age=600'
const EMBED_SCRIPT = 'embed.js'
/** Composer resolves no relative addresses: the built file has a placeholder for the server's address. */
const COMPOSER_INDEX = 'clients/packages.json'

/** The URLs of the pages, as packages/web/src/address.ts reads them. */
const PAGES = [
  '/',
  '/j/:token',
  '/conferences/:tag',
  '/invite/:token',
  '/sign-in/callback',
  '/conversations',
  '/conversations/:chat_id',
  '/contacts',
  '/calls',
  '/calls/:call_id',
  '/meetings',
  '/recordings',
  '/recordings/:id',
  '/settings',
  '/integrations',
  '/integrations/*',
  '/admin',
  '/admin/*',
]

interface PageRoutesOptions {
  /** The built web pages. */
  folder: string
  headers: Record<string, string>
  publicUrl: () => string
}

/**
 * The hosted pages. One document serves every link; its script resolves the link through the API, so these routes read no
 * token.
 */
export const pageRoutes =
  ({ folder, headers, publicUrl }: PageRoutesOptions): FastifyPluginAsync =>
  async app => {
    const config = { auth: noAuth }
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true, // the build writes `.br` and `.gz` beside the files
      serve: false,
      cacheControl: false,
    })
    const headersOf = (name: string) =>
      isClient(name) ? CLIENT_HEADERS : isAsset(name) ? ASSET_HEADERS : headers
    const sendFile = (reply: FastifyReply, name: string, cacheControl: string, options?: SendOptions) =>
      reply
        .headers(headersOf(name))
        .headers({ 'cache-control': cacheControl, vary: 'Accept-Encoding' })
        .sendFile(name, options)
    const sendIndex = async (reply: FastifyReply) => {
      const index = await readFile(join(folder, COMPOSER_INDEX), 'utf8')
      const address = publicUrl().replace(/\/$/, '')
      return reply
        .headers({ ...CLIENT_HEADERS, 'cache-control': 'no-cache', 'content-type': 'application/json' })
        .send(index.replaceAll('{public_url}', address))
    }
    const sendDocument = (reply: FastifyReply) => sendFile(reply, DOCUMENT, 'no-cache')

    for (const url of PAGES.flatMap(withSlash))
      app.get<{ Params: Record<string, string> }>(
        url,
        { config, schema: { hide: true } },
        (request, reply) =>
          Object.values(request.params).includes('') ? reply.callNotFound() : sendDocument(reply),
      )

    // One route for each folder: hundreds of routes take a noticeable part of a start.
    const files = new Map(filesIn(folder).flatMap(name => urlsOf(name).map(url => [url, name] as const)))
    for (const route of new Set([...files.keys()].map(routeOf)))
      app.get<{ Params: { '*'?: string } }>(route, { config, schema: { hide: true } }, (request, reply) => {
        const rest = request.params['*'] ?? ''
        const name = files.get(route.replace('*', () => rest)) ?? newAsset(route, rest)
        if (name === undefined) return reply.callNotFound()
        return name === COMPOSER_INDEX ? sendIndex(reply) : sendFile(reply, name, cacheControlOf(name))
      })

    // Browsers get a page for an unknown URL, programs get the JSON error.
    app.setNotFoundHandler((request, reply) => {
      if (!acceptsPage(request.raw, request.url)) throw new Refusal('not_found')
      // Without validators: a conditional request must get the 404, not a 304.
      return sendFile(reply.code(404), DOCUMENT, 'no-cache', { etag: false, lastModified: false })
    })
  }

/** Some programs end addresses with a slash, which the pages do not read. */
const withSlash = (url: string): string[] => (/[/*]$/.test(url) ? [url] : [url, `${url}/`])

/** An upgrade replaces the document and the assets that it names before the server is restarted. */
const newAsset = (route: string, rest: string): string | undefined =>
  route === '/assets/*' && /^\w[\w.-]*$/.test(rest) && !COMPRESSED.test(rest) ? `assets/${rest}` : undefined

const isAsset = (name: string) => name.startsWith('assets/')

/** What other origins load: whoever has the address of the server can install the clients. */
const isClient = (name: string) => name === EMBED_SCRIPT || name.startsWith('clients/')

const cacheControlOf = (name: string) =>
  isAsset(name) ? FOR_A_YEAR : name === EMBED_SCRIPT ? FOR_TEN_MINUTES : 'no-cache'

/** The path of a file. Pages of the documentation have no ending in their addresses. */
function urlsOf(name: string): string[] {
  const guide = /^docs\/(.+)\.html$/.exec(name)?.[1]
  if (guide === undefined) return [`/${name}`]
  return guide === 'index' ? ['/docs', '/docs/'] : [`/docs/${guide}`]
}

/** `/assets/*` for `/assets/index.js`. */
const routeOf = (url: string): string => url.replace(/^(\/[^/]+\/).*/, '$1*')

/** The files that are served under their own names. The document has its own URLs. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !COMPRESSED.test(entry.name))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter(name => name !== DOCUMENT)
