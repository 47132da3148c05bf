import { LINK_TOKEN } from '@lectern/protocol'
import type { Api, ApiResponse } from '../api/api.ts'
import { type Invitation, readConference, readJoin, readServerInfo, type ServerInfo } from './invitation.ts'

/** Why a link is refused permanently. Each reason has its text in `texts`. */
export const REASONS = [
  'link_incomplete', // truncated or mistyped: no server issues such a link
  'link_foreign', // well-formed, but not issued by this server
  'link_rotated',
  'room_closed',
  'room_cancelled',
  'plain_link_closed',
  'account_deleted',
  'account_disabled',
  'room_not_found',
  'conference_not_found',
  'links_off', // this server has no signed links
  'unknown',
] as const
export type Reason = (typeof REASONS)[number]

/** Problems that pass by themselves. */
export const PROBLEMS = ['unreachable', 'failing', 'rate_limited', 'not_open'] as const
export type Problem = (typeof PROBLEMS)[number]

export type Resolution =
  | { is: 'open'; invitation: Invitation }
  | { is: 'refused'; reason: Reason; code: string | null }
  | { is: 'problem'; problem: Problem; retryAfterMs: number | null }

/** Resolves a signed link. A malformed one is refused without a request. */
export async function resolveLink(api: Api, token: string): Promise<Resolution> {
  if (!LINK_TOKEN.test(token)) return { is: 'refused', reason: 'link_incomplete', code: 'link_invalid' }
  const answer = await api.get(`/api/v1/integration/join/${token}`)
  return readResponse(answer, readJoin, linkReasons)
}

/** Resolves a plain room link. */
export async function resolveConference(api: Api, tag: string): Promise<Resolution> {
  const [server, answer] = await Promise.all([
    fetchServerInfo(api),
    api.get(`/api/v1.0/conferences/${encodeURIComponent(tag)}`),
  ])
  return readResponse(answer, body => readConference(body, server), conferenceReasons)
}

/** When the server's information is unavailable, guests may try: the server decides. */
async function fetchServerInfo(api: Api): Promise<ServerInfo> {
  const answer = await api.get('/api/v1.0/server_info')
  const info = answer.is === 'ok' ? readServerInfo(answer.body) : null
  return info ?? { admitsGuests: true, transcribes: false, languages: [] }
}

type Reasons = Record<string, Reason>

const roomReasons: Reasons = { room_closed: 'room_closed', room_cancelled: 'room_cancelled' }

const linkReasons: Reasons = {
  ...roomReasons,
  link_invalid: 'link_foreign',
  link_rotated: 'link_rotated',
  account_deleted: 'account_deleted',
  account_disabled: 'account_disabled',
  room_not_found: 'room_not_found',
  not_found: 'links_off',
}

const conferenceReasons: Reasons = {
  ...roomReasons,
  plain_link_closed: 'plain_link_closed',
  conference_not_found: 'conference_not_found',
  // A malformed tag.
  invalid_argument: 'conference_not_found',
}

function readResponse(
  answer: ApiResponse,
  read: (body: unknown) => Invitation | null,
  reasons: Reasons,
): Resolution {
  if (answer.is === 'unreachable') return { is: 'problem', problem: 'unreachable', retryAfterMs: null }
  if (answer.is === 'ok') {
    const invitation = read(answer.body)
    // Something else answers for the server, such as the sign-in page of a hotel network.
    return invitation
      ? { is: 'open', invitation }
      : { is: 'problem', problem: 'unreachable', retryAfterMs: null }
  }

  const { status, code, retryAfterMs } = answer
  if (code === 'rate_limited' || status === 429) {
    return { is: 'problem', problem: 'rate_limited', retryAfterMs }
  }
  // The server says when the room opens.
  if (code === 'room_not_open') return { is: 'problem', problem: 'not_open', retryAfterMs }
  if (status >= 500 || status === 408) return { is: 'problem', problem: 'failing', retryAfterMs }
  return { is: 'refused', reason: reasons[code ?? ''] ?? 'unknown', code }
}
