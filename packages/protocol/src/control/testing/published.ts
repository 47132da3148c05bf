import type { TSchema } from 'typebox'
import { envelopes } from '../envelopes/index.ts'
import { Resume, ResumeToken } from '../envelopes/sync.ts'
import type { EnvelopeKind } from '../frame.ts'
import { LoginContent, LoginResultContent } from '../login.ts'
import { PageState } from '../names/board/board.ts'
import { BoardElement } from '../names/board/elements.ts'
import { commandBodies, commandData, eventBodies } from '../names/bodies.ts'
import { ChatMessage } from '../names/chat.ts'
import { commands } from '../names/commands.ts'
import { Contact } from '../names/contacts.ts'
import { WaitingPerson } from '../names/lobby.ts'
import { Conversation } from '../names/messages.ts'
import { ParticipantView, RemovedPerson } from '../names/participant.ts'
import { signalBodies } from '../names/signals.ts'
import { AccountState, SessionState } from '../names/states.ts'
import { Phrase } from '../names/transcription.ts'
import { ProtocolLimits, ProtocolOffer, ProtocolSelection } from '../offer.ts'
import { Counter, Duration, FreeObject, Generation, Id } from '../scalars.ts'
import { Binding, ControlError, Cursor, MediaRef, Target } from '../shared.ts'
import { V1Event, V1Request, V1Response } from '../v1.ts'

/** Generates the JSON Schema files of docs/schemas from the schemas that the server validates with. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** Shared definitions, under the names of docs/control-protocol.md#envelopes. */
const shared: Record<string, TSchema> = {
  id: Id,
  counter: Counter,
  generation: Generation,
  duration: Duration,
  object: FreeObject,
  binding: Binding,
  target: Target,
  cursor: Cursor,
  error: ControlError,
  mediaRef: MediaRef,
  resumeToken: ResumeToken,
  resume: Resume,
  protocolOffer: ProtocolOffer,
  protocolSelection: ProtocolSelection,
  protocolLimits: ProtocolLimits,
  participant: ParticipantView,
  removedPerson: RemovedPerson,
  waitingPerson: WaitingPerson,
  chatMessage: ChatMessage,
  phrase: Phrase,
  conversation: Conversation,
  contact: Contact,
  boardElement: BoardElement,
}

const plain = (schema: TSchema) => JSON.parse(JSON.stringify(schema)) as JsonObject
const signature = ({ description: _, ...rest }: JsonObject) => JSON.stringify(rest)
const nameOf = new Map(Object.entries(shared).map(([name, schema]) => [signature(plain(schema)), name]))

/** Replaces shared objects by references, and collects their names. Does not replace the `root`. */
function refer(value: Json, needed: Set<string>, root = false): Json {
  if (Array.isArray(value)) return value.map(each => refer(each, needed))
  if (typeof value !== 'object' || value === null) return value
  const name = root ? undefined : nameOf.get(signature(value))
  if (!name) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, refer(each, needed)]))
  needed.add(name)
  const own = plain(shared[name] as TSchema).description
  const description = value.description
  return { $ref: `#/$defs/${name}`, ...(description !== undefined && description !== own && { description }) }
}

/** A self-contained schema with its references under $defs. */
function bundle(file: string, title: string, schema: JsonObject, more: JsonObject = {}): JsonObject {
  const needed = new Set<string>()
  const body = refer(schema, needed, true) as JsonObject
  const local = refer(more, needed) as JsonObject
  const $defs: JsonObject = { ...local }
  for (const name of needed) $defs[name] = refer(plain(shared[name] as TSchema), needed, true)
  const { description, ...rest } = body
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:lectern:schema:${file.replace('.json', '')}`,
    title,
    ...(description !== undefined && { description }),
    ...rest,
    ...(Object.keys($defs).length > 0 && { $defs: sorted($defs) }),
  }
}

const sorted = (object: JsonObject) =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))

/** An object with one property and no other. */
const only = (key: string, inner: Json): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required: [key],
  properties: { [key]: inner },
})

function frameFile(key: string, schema: TSchema): JsonObject {
  const { description, ...rest } = plain(schema)
  return bundle(`${key}.json`, key, { ...(description !== undefined && { description }), ...only(key, rest) })
}

const description = 'Any control v2 frame: exactly one of the eight envelopes.'

/** All eight in one file. */
function anyFrame(): JsonObject {
  const kinds = Object.keys(envelopes) as EnvelopeKind[]
  return bundle(
    'control_frame.json',
    'control_frame',
    { description, oneOf: kinds.map(kind => only(kind, { $ref: `#/$defs/${kind}` })) },
    Object.fromEntries(kinds.map(kind => [kind, plain(envelopes[kind])])),
  )
}

/** A command frame whose body is validated by its name; unknown names have any body. */
function commandFile(): JsonObject {
  const implemented = Object.entries(commandBodies) as [keyof typeof commands, TSchema][]
  const cases = implemented.map(([name, schema]) => ({
    if: { properties: { name: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: { target: { properties: { kind: { enum: [...commands[name]] } } }, body: plain(schema) },
    },
  }))
  const text = 'control_command with the bodies and targets of the commands that this version knows.'
  return bundle('command_bodies.json', 'Commands', {
    description: text,
    ...only('control_command', { ...plain(envelopes.control_command), allOf: cases }),
  })
}

/** A signal frame of a client, whose body is validated by its name; other names have any body. */
function signalFile(): JsonObject {
  const cases = Object.entries(signalBodies).map(([name, schema]) => ({
    if: { properties: { name: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { body: plain(schema) } },
  }))
  return bundle('signal_bodies.json', 'Signals of clients', {
    description: 'control_signal with the bodies of the signals that clients may send.',
    ...only('control_signal', { ...plain(envelopes.control_signal), allOf: cases }),
  })
}

/** A list of named definitions. */
function catalogue(file: string, title: string, text: string, schemas: Record<string, TSchema>): JsonObject {
  const defs = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]))
  return bundle(file, title, { description: text }, defs)
}

/** File name → content of everything in docs/schemas. */
export function schemaFiles(): Record<string, JsonObject> {
  return {
    ...Object.fromEntries(
      Object.entries(envelopes).map(([kind, schema]) => [`${kind}.json`, frameFile(kind, schema)]),
    ),
    'control_frame.json': anyFrame(),
    'login.json': frameFile('login', LoginContent),
    'login_result.json': frameFile('login_result', LoginResultContent),
    'v1_request.json': bundle('v1_request.json', 'Request of a v1 session', plain(V1Request)),
    'v1_response.json': bundle('v1_response.json', 'Response of a v1 session', plain(V1Response)),
    'v1_event.json': bundle('v1_event.json', 'Event of a v1 session', plain(V1Event)),
    'command_bodies.json': commandFile(),
    'signal_bodies.json': signalFile(),
    'result_data.json': catalogue(
      'result_data.json',
      'Results',
      'control_result.data, by command.',
      commandData,
    ),
    'event_bodies.json': catalogue(
      'event_bodies.json',
      'Events',
      'control_event.body, by name.',
      eventBodies,
    ),
    'states.json': catalogue('states.json', 'States', 'The complete states of streams.', {
      session: SessionState,
      account: AccountState,
      page: PageState,
    }),
  }
}
