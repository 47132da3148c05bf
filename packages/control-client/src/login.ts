import {
  type LoginErrorCode,
  type LoginFrame,
  type LoginResultContent,
  type ProtocolLimits,
  type ProtocolOffer,
  type ProtocolSelection,
  parseLoginResult,
} from '@lectern/protocol/control/client'

/** The first frame of a connection and its response (docs/control-protocol.md, "Login"). */

export type User = Extract<LoginResultContent, { ok: true }>['user']

export interface Credentials {
  accessToken: string
  /** The signed link's secret. It grants a role to one connection, so every login sends it. */
  joinToken?: string
  client: { name: string; version: string; platform: string }
}

export type LoginOutcome =
  | { is: 'welcome'; user: User; selection: ProtocolSelection }
  | { is: 'refused'; code: LoginErrorCode; message: string }

/** Limits are negotiated by the login itself; every login_result is far below this. */
const LOGIN_RESULT_BYTES_MAX = 65_536

const offer: ProtocolOffer = { versions: [1, 2], require_version: 2, profiles: ['svc.control.v2.core'] }

export function loginFrame({ accessToken, joinToken, client }: Credentials): LoginFrame {
  return {
    login: {
      access_token: accessToken,
      ...(joinToken !== undefined && { join_token: joinToken }),
      client,
      protocol_offer: offer,
    },
  }
}

/** A selection that this client does not support counts as a refusal. Null: the text is no login_result. */
export function readLoginResult(text: string): LoginOutcome | null {
  const parsed = parseLoginResult(text, { maxFrameBytes: LOGIN_RESULT_BYTES_MAX })
  if (!parsed.ok) return null
  const { result } = parsed
  if (!result.ok) return { is: 'refused', ...result.error }
  const { user, protocol_selection: selection } = result
  if (selection && isUsable(selection)) return { is: 'welcome', user, selection }
  return { is: 'refused', code: 'protocol_unsupported', message: 'The server did not select control v2' }
}

const LIMITS: readonly (keyof ProtocolLimits)[] = [
  'max_frame_bytes',
  'max_inflight_commands',
  'max_sync_parts',
  'max_sync_bytes',
  'sync_timeout_ms',
  'command_retry_window_ms',
  'resume_grace_ms',
]

function isUsable({ version, profile, limits }: ProtocolSelection): boolean {
  const isOffered = offer.versions.includes(version) && offer.profiles.includes(profile)
  return isOffered && LIMITS.every(name => Number.isInteger(limits[name]) && limits[name] > 0)
}
