import * as client from 'openid-client'
import { expect, it } from 'vitest'
import { reasonOf } from './failures.ts'

const ISSUER = 'https://login.example.org'

/** What the library says of an ID token. */
async function failureFor(changes: object): Promise<unknown> {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: ISSUER, sub: 'anna', aud: 'lectern', iat: now, exp: now + 60, ...changes }
  const [header, payload] = [{ alg: 'RS256' }, claims].map(part =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const metadata = { issuer: ISSUER, token_endpoint: `${ISSUER}/token`, jwks_uri: `${ISSUER}/jwks` }
  const configuration = new client.Configuration(metadata, 'lectern')
  configuration[client.customFetch] = async () =>
    Response.json({ access_token: 'a', token_type: 'bearer', id_token: `${header}.${payload}.c2ln` })
  const answer = new URL('https://meet.example.org/?code=c')
  return client.authorizationCodeGrant(configuration, answer, { idTokenExpected: true }).then(
    () => null,
    error => error,
  )
}

it.each(['exp', 'iat', 'nbf', 'auth_time'])('names the claim %s that is no number', async claim => {
  expect(reasonOf(await failureFor({ [claim]: null }))).toContain(claim)
})

it('says nothing about claims that are as they should be', async () => {
  expect(await failureFor({})).toBeNull()
  expect(reasonOf(await failureFor({ aud: 'others' }))).not.toContain('claim ')
})
