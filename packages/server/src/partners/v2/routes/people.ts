import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  InvitedPersonResponse,
  PeopleQuery,
  PeopleResponse,
  RoomParams,
  RoomPersonParams,
  RoomPersonRequest,
} from '@lectern/protocol'
import type { FastifyRequest } from 'fastify'
import { bodyIsOptional } from '../../../http/body.ts'
import type { PartnerAuth } from '../../routes/authentication.ts'
import type { Caller } from '../../service-accounts.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'
import { idempotencyKey } from '../idempotency.ts'
import type { People } from '../people/people.ts'
import type { HostedRooms } from '../rooms/hosted-rooms.ts'
import { withoutLink } from './for-owners.ts'
import { pageOf } from './page.ts'

interface PeopleRoutesOptions {
  auth: PartnerAuth
  rooms: HostedRooms
  people: People
  limits: ToolLimits
}

const tag = 'People'
const example = { path: { person_external_id: 'student-9' }, response: { external_id: 'student-9' } }

/** People of a room (docs/partner-api-v2.md#people). */
export const peopleRoutes =
  ({
    auth: { service: auth, serviceOrOwner },
    rooms,
    people,
    limits,
  }: PeopleRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }
    const roomOf = (request: FastifyRequest, { clientId }: Caller = auth.callerOf(request)) => {
      const { external_id } = request.params as { external_id: string }
      return rooms.find(clientId, external_id)
    }
    const url = '/rooms/:external_id/people/:person_external_id'

    app.put(
      url,
      {
        config,
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'putPerson',
          tag,
          summary: 'Add or change a person',
          description:
            'Returns the personal link. Changing the name, the role or the metadata keeps the link.',
          errors: ['room_not_found', 'too_many_people'],
          example,
          params: RoomPersonParams,
          body: RoomPersonRequest,
          response: { 200: InvitedPersonResponse },
        },
      },
      async request => ({
        result: 200 as const,
        ...(await people.put(await roomOf(request), request.params.person_external_id, request.body)),
      }),
    )

    app.get(
      '/rooms/:external_id/people',
      {
        config: { auth: serviceOrOwner },
        schema: {
          operationId: 'listPeople',
          tag,
          summary: 'List the people of a room',
          description:
            'With their personal links, in pages. Teacher and student of version 1 are the first ones.',
          errors: ['room_not_found', 'rate_limited'],
          params: RoomParams,
          querystring: PeopleQuery,
          response: { 200: PeopleResponse },
        },
      },
      async request => {
        const caller = serviceOrOwner.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.read)
        const found = await people.list(await roomOf(request, caller), pageOf(request.query))
        const shown = found.people.map(each => withoutLink(caller, each))
        return { result: 200 as const, people: shown, next: found.next }
      },
    )

    app.get(
      url,
      {
        config,
        schema: {
          operationId: 'getPerson',
          tag,
          summary: 'Get a person of a room',
          description: 'With the personal link.',
          errors: ['room_not_found', 'person_not_found'],
          example,
          params: RoomPersonParams,
          response: { 200: InvitedPersonResponse },
        },
      },
      async request => ({
        result: 200 as const,
        ...(await people.get(await roomOf(request), request.params.person_external_id)),
      }),
    )

    app.delete(
      url,
      {
        config,
        schema: {
          operationId: 'deletePerson',
          tag,
          summary: 'Remove a person from a room',
          description: 'Ends the validity of the personal link. It may be repeated.',
          errors: ['room_not_found'],
          example: { path: example.path },
          params: RoomPersonParams,
          response: { 200: Done },
        },
      },
      async request => {
        await people.remove(await roomOf(request), request.params.person_external_id)
        return { result: 200 as const }
      },
    )

    app.post(
      `${url}/rotate`,
      {
        config,
        schema: {
          operationId: 'rotatePersonLink',
          tag,
          summary: 'Replace a personal link',
          description: 'The earlier link answers `link_rotated` from then on.',
          errors: ['room_not_found', 'person_not_found', 'idempotency_key_reused', 'idempotency_key_in_use'],
          example,
          byHandler: { headers: idempotencyKey },
          params: RoomPersonParams,
          response: { 200: InvitedPersonResponse },
        },
      },
      async request => ({
        result: 200 as const,
        ...(await people.rotate(await roomOf(request), request.params.person_external_id)),
      }),
    )
  }
