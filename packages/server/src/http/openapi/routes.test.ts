import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { noAuth, useAuthPolicies } from '../auth-policy.ts'
import { useOpenApi } from './routes.ts'

function openApp() {
  const app = fastify()
  useAuthPolicies(app)
  useOpenApi(app, () => ({ version: '1.0.0', url: 'https://meet.example' }))
  return app
}
const auth = { auth: noAuth }

describe('a server with an API route that the reference does not contain', () => {
  it('does not start', async () => {
    const app = openApp()
    app.get('/api/v1.0/new', { config: auth }, async () => ({}))
    await expect(app.ready()).rejects.toThrow('routes without an operationId: GET /api/v1.0/new')
  })

  it('starts if the route is hidden, or outside of the API', async () => {
    const app = openApp()
    app.get('/api/v1.0/hidden', { config: auth, schema: { hide: true } }, async () => ({}))
    app.get('/page', { config: auth }, async () => ({}))
    await app.ready()
    expect(Object.keys((await app.inject('/api/openapi.json')).json().paths)).toEqual([])
    await app.close()
  })
})
