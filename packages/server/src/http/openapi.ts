import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { ErrorBody } from '@lectern/protocol'
import type { FastifyInstance } from 'fastify'
import { declareNoAuth, noAuth } from './auth-policy.ts'
import { bodyIsOptional } from './body.ts'

interface Document {
  paths: Record<string, Record<string, { requestBody?: { required?: boolean } }>>
}

/** The part of a route's schema that only documents it. */
export const docs = (tag: string) => (summary: string) => ({ tags: [tag], summary })

/** A response that is a file. */
export const binary = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
})

/** The reference page loads everything from this server. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Collects the routes that are registered later in one OpenAPI document, generated from the schemas that validate them. */
export async function useOpenApi(app: FastifyInstance, version: string) {
  const optionalBodies = new Set<string>()
  app.addHook('onRoute', route => {
    if (route.preValidation === bodyIsOptional)
      optionalBodies.add(`${route.method} ${route.url.replace(/:(\w+)/g, '{$1}')}`.toLowerCase())
    if (!route.schema || route.schema.hide) return
    route.schema = { ...route.schema, security: route.config?.auth?.security ?? [] }
    const { 200: done, ...others } = route.schema.response as { 200: object }
    route.schema.response = {
      ...others,
      200: { description: 'Done.', ...done },
      '4xx': ErrorBody,
      '5xx': ErrorBody,
    }
  })
  await app.register(swagger, {
    // The plugin declares every body as required.
    transformObject: document => {
      const { openapiObject } = document as { openapiObject: Document }
      for (const [path, operations] of Object.entries(openapiObject.paths))
        for (const [method, { requestBody }] of Object.entries(operations))
          if (requestBody && optionalBodies.has(`${method} ${path}`.toLowerCase()))
            requestBody.required = false
      return openapiObject
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lectern',
        version,
        description: 'Hosted rooms for partner platforms, and the accounts of ordinary users.',
      },
      tags: [
        {
          name: 'Links and tokens',
          description: 'Need no bearer token: the body or the path holds the secret.',
        },
        { name: 'Rooms', description: "The partner's hosted rooms." },
        { name: 'Webhook', description: "The partner's webhook, and what was sent to it." },
        { name: 'Partner service', description: 'What concerns a service account as a whole.' },
        { name: 'Recordings', description: 'The archive of finished recordings, and their files.' },
        { name: 'Own recordings', description: 'Recordings of conferences that the user created.' },
        { name: 'Conferences', description: 'What anyone with a tag may know.' },
        { name: 'Accounts', description: 'Sign-in of ordinary users and guests.' },
        { name: 'Administration', description: 'For users with the capability admin.' },
        { name: 'Service', description: 'About this server.' },
      ],
      components: {
        securitySchemes: {
          service: {
            type: 'http',
            scheme: 'bearer',
            description: 'From POST /api/v1/integration/auth/token.',
          },
          user: { type: 'http', scheme: 'bearer', description: 'From POST /api/v1.0/auth/login.' },
        },
      },
    },
  })
  await app.register(async pages => {
    declareNoAuth(pages)
    await pages.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: PAGE_POLICY,
      uiConfig: { docExpansion: 'list', defaultModelsExpandDepth: -1, validatorUrl: null },
      theme: {
        title: 'Lectern API',
        css: [{ filename: 'lectern.css', content: '.topbar { display: none }' }],
      },
    })
  })
  app.get('/api/openapi.json', { config: { auth: noAuth }, schema: { hide: true } }, async () =>
    app.swagger(),
  )
}
