/**
 * `@lectern/protocol/control/client`: the control protocol for browsers and workers. It does not
 * import the schema library, which a test verifies; from schema files it exports types only.
 */

export * from '../errors/control-codes.ts'
export * from './client-codec.ts'
export * from './close-codes.ts'
export type * from './envelopes/index.ts'
export * from './frame.ts'
export * from './frame-rules.ts'
export { DEPTH_MAX, type FrameLimits, type JsonObject, utf8Length } from './framing.ts'
export type * from './login.ts'
export * from './login-errors.ts'
export type * from './names/bodies.ts'
export type * from './names/chat.ts'
export * from './names/chat-tail.ts'
export * from './names/commands.ts'
export * from './names/device.ts'
export * from './names/events.ts'
export type * from './names/jobs.ts'
export type * from './names/lobby.ts'
export type * from './names/media.ts'
export type * from './names/participant.ts'
export type * from './names/states.ts'
export type * from './names/transcription.ts'
export type * from './offer.ts'
export type * from './shared.ts'
export type * from './v1.ts'
