import { expect, it } from 'vitest'
import { openRoutes } from '../testing/routes.ts'
import { compilersFactory } from './shape.ts'

it('every schema of a route can be compiled, which its first request does', async () => {
  const { app, close } = await openRoutes()
  const validatorOf = compilersFactory.buildValidator()
  const schemas = app.declaredRoutes.flatMap(({ schema = {} }) =>
    [schema.body, schema.params, schema.querystring, schema.headers].filter(each => each !== undefined),
  )
  expect(schemas.length).toBeGreaterThan(50)
  for (const schema of schemas) expect(() => validatorOf({ schema: schema as object })(null)).not.toThrow()
  await close()
})
