import {
  type LoginErrorCode,
  type LoginFrame,
  type LoginResultContent,
  type ProtocolLimits,
  type ProtocolOffer,
  type ProtocolSelection,
  parseLoginResult,
} from '@lectern/protocol/control/client'

/** The first frame of a connection and its answer (design §6 "Control transport", contract §2.9). */

export type User = Extract<LoginResultContent, { ok: true }>['user']

export interface Credentials {
  accessToken: string
  /** The signed link's secret. The role that it gives belongs to one connection, so every login has it. */
  joinToken?: string
  client: { name: string; version: string; platform: string }
}

export type LoginAnswer =
  | { is: 'welcome'; user: User; selection: ProtocolSelection }
  | { is: 'refused'; code: LoginErrorCode; message: string }

/** No limit is negotiated before the login; this is far above any answer to it. */
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

/** A selection that this client cannot live with is a refusal too. Null: not an answer to a login at all. */
export function readLoginAnswer(text: string): LoginAnswer | null {
  const read = parseLoginResult(text, { maxFrameBytes: LOGIN_RESULT_BYTES_MAX })
  if (!read.ok) return null
  const { result } = read
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
  const chosen = offer.versions.includes(version) && offer.profiles.includes(profile)
  return chosen && LIMITS.every(name => Number.isInteger(limits[name]) && limits[name] > 0)
}
