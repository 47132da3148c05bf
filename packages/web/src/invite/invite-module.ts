/** Entry point of the page of an invitation, which few people open. */
export { InvitePage } from './InvitePage.tsx'
