import type { ErrorCode } from '@lectern/protocol'
import type { FastifySchema, RouteOptions } from 'fastify'

declare module 'fastify' {
  interface FastifySchema extends Partial<Operation> {
    /** Not part of the HTTP API: pages, probes and WebSockets. */
    hide?: boolean
  }
}

/** Groups of the reference, in its order. */
export const TAGS = {
  'Links and tokens': 'Need no bearer token: the body or the path holds the secret.',
  Rooms: "The partner's hosted rooms.",
  Webhook: "The partner's webhook, and what was sent to it.",
  'Partner service': 'What concerns a service account as a whole.',
  'Hosted rooms': 'Rooms of version 2, with all their settings.',
  People: 'The people of a room, with links of their own.',
  Live: 'Acting in a call that runs.',
  Events: 'What happened, in order, and what was used.',
  Endpoints: 'Where events are sent, and what was sent there.',
  Owners: 'For people who own technical users, with their own sign-in.',
  'Partner recordings': 'Recordings and transcripts of the rooms of a partner.',
  Recordings: 'The archive of finished recordings, and their files.',
  'Own recordings': 'Recordings of conferences that the user created.',
  Conferences: 'Conferences of users, and what anyone with a tag may know.',
  Accounts: 'Sign-in of ordinary users and guests, and their accounts.',
  'WHIP and WHEP': 'Publishing and playing from any WebRTC stack.',
  Uploads: 'Files of workers and participants, by the protocol tus 1.0.0.',
  Files: 'Slides, images for the board, and files in the chat.',
  Administration: 'For users with the capability admin.',
  Service: 'About this server.',
} as const
type Tag = keyof typeof TAGS

/** A header of a request or of a response. */
export interface Header {
  description: string
  schema: object
  example: string | number
  required?: true
}

/** A response that the schemas of the route do not describe. */
export interface DocumentedResponse {
  description: string
  headers?: Readonly<Record<string, Header>>
}

/** The reference of a route, beside its input, its output and its policy. */
export interface Operation {
  /** Clients have it as the name of their method, so it stays. */
  operationId: string
  tag: Tag
  summary: string
  /** Sentences in Markdown. */
  description: string
  /** Codes beyond those that follow from the policy and the input of the route. */
  errors?: readonly ErrorCode[]
  /** Fields of the examples that differ from the usual values (example-values.ts). */
  example?: {
    path?: Readonly<Record<string, string>>
    request?: Readonly<Record<string, unknown>>
    response?: Readonly<Record<string, unknown>>
  }
  /** Bodies that the handler itself reads and sends, without a schema. */
  byHandler?: {
    /** The kinds of tokens, if the handler authenticates instead of the policy. */
    schemes?: readonly ('service' | 'user')[]
    /** Headers of the request. */
    headers?: Readonly<Record<string, Header>>
    /** Path parameters. */
    params?: Readonly<Record<string, Header>>
    /** Only if the body is not JSON. */
    body?: { type: string; description: string }
    /** By status; they add to the responses of the schema, or replace them. */
    responses?: Readonly<Record<number, DocumentedResponse>>
  }
}

/** A route of the HTTP API. */
export type DocumentedRoute = RouteOptions & { schema: FastifySchema & Operation }
