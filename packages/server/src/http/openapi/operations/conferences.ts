import type { Operation } from './operation.ts'

/** Conferences of users (docs/http-api.md), and the service itself. */
export const conferenceOperations = {
  createConference: {
    tag: 'Conferences',
    summary: 'Create a conference',
    description: 'Creates a conference of the signed-in user, with a link to share.',
    errors: ['permission_denied', 'rate_limited'],
    response: { title: 'Weekly meeting', live: false },
    request: { title: 'Weekly meeting' },
  },
  listConferences: {
    tag: 'Conferences',
    summary: 'List your conferences',
    description: 'Newest first, at most 500.',
  },
  getConference: {
    tag: 'Conferences',
    summary: 'Get a conference',
    description: 'What anyone with the link may know. It needs no token, because the tag is hard to guess.',
    errors: ['conference_not_found', 'plain_link_closed', 'room_closed', 'room_cancelled', 'rate_limited'],
  },
  updateConference: {
    tag: 'Conferences',
    summary: 'Update your conference',
    description: 'Changes what the request contains. Only the owner may do that.',
    errors: ['conference_not_found', 'permission_denied'],
    response: { title: 'Weekly meeting' },
    request: { title: 'Weekly meeting' },
  },
  deleteConference: {
    tag: 'Conferences',
    summary: 'Delete your conference',
    description: 'Removes it for good and ends its session. Its tag is never used again.',
    errors: ['conference_not_found', 'permission_denied'],
  },
  listMembers: {
    tag: 'Conferences',
    summary: 'List the members of a conference',
    description: 'The members of its conversation, by name. For members.',
    errors: ['conference_not_found', 'permission_denied'],
  },
  addMember: {
    tag: 'Conferences',
    summary: 'Invite a member to your conference',
    description:
      'The body has either `login` or `user_id`. The person becomes a member by joining the conference or writing there. Inviting a member again changes nothing; somebody who has left cannot be invited.',
    errors: [
      'conference_not_found',
      'not_reachable',
      'permission_denied',
      'too_many_members',
      'rate_limited',
    ],
    request: { login: 'ben' },
    response: { user_id: 8, display_name: 'Ben Adams', owner: false, invited: true },
  },
  removeMember: {
    tag: 'Conferences',
    summary: 'Remove a member from your conference, or leave one',
    description: 'For the owner and for the member. The owner stays a member.',
    errors: ['conference_not_found', 'permission_denied'],
  },
  getServerInfo: {
    tag: 'Service',
    summary: 'Get server information',
    description: 'Name, version and features of this server, and how people sign in.',
    response: { name: 'Lectern' },
  },
  testConnection: {
    tag: 'Service',
    summary: 'Test the connection',
    description:
      'Opens an ICE-lite endpoint for some seconds that answers connectivity checks of a browser and nothing else. Tests wait for their turn for up to 12 s.',
    errors: ['temporarily_unavailable', 'rate_limited'],
  },
} as const satisfies Record<string, Operation>
