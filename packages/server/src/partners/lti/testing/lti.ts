import { createLocalJWKSet, jwtVerify } from 'jose'
import { freePort } from '../../../testing/free-port.ts'
import type { Answer } from '../../../testing/http.ts'
import { type Partner, resolveLink } from '../../../testing/partner.ts'
import { startTestServer } from '../../../testing/server.ts'
import { startTestPlatform } from './platform.ts'

export type TestLti = Awaited<ReturnType<typeof openLti>>

/** The data on the first page of a launch. */
interface Started {
  state: string
  binding: string
}

/** A server and a platform; the steps of a launch as the browser makes them. */
export async function openLti() {
  const platform = await startTestPlatform()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const server = await startTestServer({
    Server: { Port: String(port), LogLevel: 'debug' },
    Integration: { PublicUrl: url, FrameAncestors: 'https://school.example' },
    Lti: { Enabled: '1', AllowInsecurePlatforms: '1' },
    Limits: { Enabled: '0' },
  })
  const school: Partner = await server.addPartner('school')
  const form = (path: string, fields: Record<string, string>): Promise<Answer> =>
    server.call('POST', path, {
      raw: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const registerWith = (token: string) =>
    server.call(
      'GET',
      `/lti/register?${new URLSearchParams({ token, openid_configuration: `${platform.url}/configuration` })}`,
    )
  const nonces = new Map<string, string>()

  const begin = async () => {
    const page = await form('/lti/login', Object.fromEntries(platform.loginQuery('_parent')))
    const data = dataOf(page)
    const address = new URL(data.authorizationUrl as string)
    const state = address.searchParams.get('state') as string
    const nonce = address.searchParams.get('nonce') as string
    nonces.set(state, nonce)
    return { page, nonce, data: { state, binding: data.binding as string } }
  }
  const answer = async ({ state }: Started, token?: string) =>
    form('/lti/launch', { state, id_token: token ?? (await platform.sign(nonces.get(state) as string)) })
  const enter = ({ state, binding }: Started, title = '') =>
    server.call('POST', '/lti/enter', { body: { state, binding, title } })
  return {
    server,
    school,
    platform,
    url,
    registerWith,
    register: async () => registerWith((await server.operator.lti.invite('school')).token),
    begin,
    answer,
    enter,
    /** All steps. */
    launch: async (): Promise<{ location: string }> => {
      const { data } = await begin()
      await answer(data)
      return (await enter(data)).body
    },
    resolve: async (location: string) => (await resolveLink(server.call, location)).body,
    verifyOfTool: async (token: string) => {
      const keys = createLocalJWKSet((await server.call('GET', '/lti/jwks')).body)
      return (await jwtVerify(token, keys, { issuer: 'lectern-client' })).payload
    },
    close: async () => {
      await server.close()
      await platform.close()
    },
  }
}

/** The data of a page of a launch for its script. */
function dataOf({ body }: Answer): Record<string, unknown> {
  const [, json = '{}'] = /<script type="application\/json" id="data">(.*?)<\/script>/.exec(body) ?? []
  return JSON.parse(json)
}
