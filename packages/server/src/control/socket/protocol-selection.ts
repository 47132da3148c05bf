import { CONTROL_PROFILE, type ProtocolSelection } from '@lectern/protocol/control'
import { protocolLimits } from '../limits/constants.ts'
import type { ControlParts, Login } from '../ports.ts'

export const TENANT = 'default'

/**
 * Chooses from an offer (docs/control-protocol.md#login). Every well-formed offer contains v2 and its one profile; all
 * others are refused as `protocol_unsupported` when they are read.
 */
export function select(
  { deploymentId, graceMs }: ControlParts,
  { user, authSessionId }: Login,
  transportId: string,
): ProtocolSelection {
  return {
    version: 2,
    profile: CONTROL_PROFILE,
    deployment_id: deploymentId,
    tenant_id: TENANT,
    user_id: String(user.id),
    auth_session_id: `a.${authSessionId}`, // a session's own id may begin with what an id may not
    transport_id: transportId,
    limits: protocolLimits(graceMs),
  }
}
