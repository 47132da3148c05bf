import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Done,
  EndpointChange,
  EndpointListResponse,
  EndpointParams,
  EndpointRequest,
  EndpointResponse,
  EndpointRotateRequest,
  NewEndpointResponse,
} from '@lectern/protocol'
import { bodyFields, setAuditTarget } from '../../../http/audit-rule.ts'
import { bodyIsOptional } from '../../../http/body.ts'
import type { PartnerAuth } from '../../routes/authentication.ts'
import { TOOL_COSTS, type ToolLimits } from '../../tool-limits.ts'
import type { Endpoints } from '../events/endpoints.ts'
import { presentEndpoint } from '../events/present.ts'
import { idempotencyKey } from '../idempotency.ts'
import { auditedEndpoint, changesOf } from './audited.ts'

interface EndpointRoutesOptions {
  auth: PartnerAuth
  endpoints: Endpoints
  limits: ToolLimits
}

const tag = 'Endpoints'
const example = { path: { endpoint_id: 'end_5f0c2e7d9b31a84600d1c2e3' } }
const withKey = { byHandler: { headers: idempotencyKey } }
const keyErrors = ['idempotency_key_reused', 'idempotency_key_in_use'] as const
const secret = 'whsec_K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols='
const described = { events: ['recording.ready'], description: 'Quadratic equations' }

/** Endpoints for events (docs/partner-api-v2.md#endpoints). */
export const endpointRoutes =
  ({ auth: { serviceOrOwner: auth }, endpoints, limits }: EndpointRoutesOptions): FastifyPluginAsyncTypebox =>
  async app => {
    const config = { auth }
    const audited = auditedEndpoint(auth)

    app.post(
      '/endpoints',
      {
        config: { ...config, audit: audited('endpoint.create', { target: () => '', details: changesOf }) },
        schema: {
          operationId: 'addEndpoint',
          tag,
          summary: 'Add an endpoint',
          description:
            'Events are sent to `url` from then on. Without a `secret` the server makes one; it is shown only in this answer.',
          errors: ['too_many_endpoints', 'rate_limited', ...keyErrors],
          example: {
            request: { ...described, secret },
            response: { ...described, secret, id: 'end_5f0c2e7d9b31a84600d1c2e3' },
          },
          ...withKey,
          body: EndpointRequest,
          response: { 200: NewEndpointResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.rotate)
        const endpoint = await endpoints.add(caller, request.body)
        setAuditTarget(request, endpoint.id)
        return { result: 200 as const, ...presentEndpoint(endpoint), secret: endpoint.secret }
      },
    )

    app.get(
      '/endpoints',
      {
        config,
        schema: {
          operationId: 'listEndpoints',
          tag,
          summary: 'List endpoints',
          description: 'The endpoints of your service account, oldest first.',
          response: { 200: EndpointListResponse },
        },
      },
      async request => ({
        result: 200 as const,
        endpoints: (await endpoints.list(auth.callerOf(request))).map(presentEndpoint),
      }),
    )

    app.get(
      '/endpoints/:endpoint_id',
      {
        config,
        schema: {
          operationId: 'getEndpoint',
          tag,
          summary: 'Get an endpoint',
          description: 'Without its secret.',
          errors: ['endpoint_not_found'],
          example,
          params: EndpointParams,
          response: { 200: EndpointResponse },
        },
      },
      async request => ({
        result: 200 as const,
        ...presentEndpoint(await endpoints.find(auth.callerOf(request), request.params.endpoint_id)),
      }),
    )

    app.patch(
      '/endpoints/:endpoint_id',
      {
        config: { ...config, audit: audited('endpoint.change', { details: changesOf }) },
        schema: {
          operationId: 'updateEndpoint',
          tag,
          summary: 'Change an endpoint',
          description:
            'Changes what the request has. Disabling it cancels its pending deliveries. A `secret` replaces the one before at once, also one that is being replaced.',
          errors: ['endpoint_not_found'],
          example: { ...example, request: described },
          params: EndpointParams,
          body: EndpointChange,
          response: { 200: EndpointResponse },
        },
      },
      async request => {
        const endpoint = await endpoints.change(
          auth.callerOf(request),
          request.params.endpoint_id,
          request.body,
        )
        return { result: 200 as const, ...presentEndpoint(endpoint) }
      },
    )

    app.delete(
      '/endpoints/:endpoint_id',
      {
        config: { ...config, audit: audited('endpoint.delete') },
        schema: {
          operationId: 'deleteEndpoint',
          tag,
          summary: 'Remove an endpoint',
          description: 'With its deliveries. Events stay listed.',
          errors: ['endpoint_not_found'],
          example,
          params: EndpointParams,
          response: { 200: Done },
        },
      },
      async request => {
        await endpoints.remove(auth.callerOf(request), request.params.endpoint_id)
        return { result: 200 as const }
      },
    )

    app.post(
      '/endpoints/:endpoint_id/rotate',
      {
        config: { ...config, audit: audited('endpoint.rotate', { details: bodyFields('overlap_seconds') }) },
        preValidation: bodyIsOptional,
        schema: {
          operationId: 'rotateEndpointSecret',
          tag,
          summary: 'Replace the secret of an endpoint',
          description: 'Until `previous_secret_expires_at` deliveries have signatures of both secrets.',
          errors: ['endpoint_not_found', 'rotation_in_progress', 'rate_limited', ...keyErrors],
          example: { ...example, request: { secret }, response: { secret } },
          ...withKey,
          params: EndpointParams,
          body: EndpointRotateRequest,
          response: { 200: NewEndpointResponse },
        },
      },
      async request => {
        const caller = auth.callerOf(request)
        limits.enforce(caller, TOOL_COSTS.rotate)
        const { secret, overlap_seconds } = request.body
        const endpoint = await endpoints.rotate(caller, request.params.endpoint_id, secret, overlap_seconds)
        return { result: 200 as const, ...presentEndpoint(endpoint), secret: endpoint.secret }
      },
    )
  }
