/*
 * The bodies of the partner API and of webhooks, written out so that the published package needs no other package.
 * types.test.ts compares them with the schemas of the server.
 *
 * Objects of the archive and of events grow without a new version (rules API-4 and EVENT-1): ignore unknown fields.
 */

export type * from './archive-types.ts'
export type * from './event-types.ts'
export type * from './room-types.ts'
export type * from './service-types.ts'
export type * from './webhook-types.ts'
