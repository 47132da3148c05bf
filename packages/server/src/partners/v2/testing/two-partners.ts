import { afterAll, beforeAll } from 'vitest'
import { openTestArchive, type TestArchive } from '../../../records/testing/archive.ts'
import type { Partner } from '../../../testing/partner.ts'
import { startTestServer, type TestServer } from '../../../testing/server.ts'
import { openTestCalls, type Version2, version2 } from '../testing.ts'
import { SCOPES } from './operations.ts'

interface Opened {
  server: TestServer
  calls: Awaited<ReturnType<typeof openTestCalls>>
  archive: TestArchive
  school: Partner
}

/**
 * A server for the tests of a file, with two partners that speak version 2: a school (`api`), and another one (`other`).
 * `opened` is empty before the first test.
 */
export function useTwoPartners() {
  const opened = {} as Opened
  let callSchool: Version2
  let callOther: Version2
  beforeAll(async () => {
    const server = await startTestServer({ Integration: { AllowInsecureWebhooks: '1' } })
    const school = await server.addPartner('school', { scopes: SCOPES })
    Object.assign(opened, {
      ...{ server, school },
      calls: await openTestCalls(server),
      archive: await openTestArchive(server),
    })
    callSchool = version2(server, school)
    callOther = version2(server, await server.addPartner('clinic', { scopes: SCOPES }))
  })
  afterAll(async () => {
    await opened.archive.close()
    await opened.calls.close()
    await opened.server.close()
  })
  const api: Version2 = (...call) => callSchool(...call)
  const other: Version2 = (...call) => callOther(...call)
  return {
    ...{ opened, api, other },
    /** Puts a room of the school, and returns it. */
    put: async (externalId: string, body: object = {}) =>
      (await api('PUT', `/rooms/${externalId}`, { body })).body,
  }
}
