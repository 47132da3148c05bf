import { expect, vi } from 'vitest'
import type { Receiver } from '../../../platform/delivery/testing/receiver.ts'
import type { TestArchive } from '../../../records/testing/archive.ts'
import type { ApiOperation } from '../../../testing/api-document.ts'
import type { openTestCalls, Version2 } from '../testing.ts'

export const BASE = '/api/v2/integration'
export const SCOPES = ['integration:rooms', 'blob']

/** The values of all parameters of paths, of things that exist or not. A new parameter belongs here. */
export type Values = Record<string, string>

export const UNKNOWN: Values = {
  external_id: 'none',
  person_external_id: 'none',
  participant_id: '9.9.9',
  recording_id: 'job_none',
  transcript_id: 'job_none',
  endpoint_id: 'end_none',
  delivery_id: 'dlv_none',
  link_id: 'lnk_none',
}

const LESSON = { title: 'Algebra', starts_at: '2031-05-14T09:30:00Z', ends_at: '2031-05-14T10:15:00Z' }

/** Operations that make something for each caller. */
export const CREATING = ['putHostedRoom']

interface Parts {
  calls: Awaited<ReturnType<typeof openTestCalls>>
  archive: TestArchive
  receiver: Receiver
}

/** One thing of every kind. */
export async function everything(
  { calls, archive, receiver }: Parts,
  partner: Version2,
  room: string,
): Promise<Values> {
  const { tag } = (await partner('PUT', `/rooms/${room}`, { body: LESSON })).body
  const endpoint = (await partner('POST', '/endpoints', { body: { url: receiver.url } })).body.id
  await partner('PUT', `/rooms/${room}/people/${room}-1`, { body: { display_name: 'Ben' } })
  const job = `job_${room}`
  const { id: blobId } = await archive.addBlob(tag, 'x', { name: 'recording.mkv' })
  await archive.addRecording(tag, job, { blobIds: [blobId] })
  const times = { started_at_ms: 1, ended_at_ms: 2, indexed_at: 1, notified_at: null }
  const about = { conference_session_id: 1, status: 'completed', language: 'en', engine: 'e' }
  const content = { reason: 'stopped', text: 'Good morning.', segments: '[]' }
  await calls.db
    .insertInto('transcripts')
    .values({ job_id: job, conference_tag: tag, ...times, ...about, ...content })
    .execute()
  const delivery = (await partner('POST', `/endpoints/${endpoint}/test`)).body.id
  // The deliveries change no more after that.
  const isDelivered = async () => {
    const { deliveries } = (await partner('GET', `/endpoints/${endpoint}/deliveries`)).body
    const outcomes = deliveries.map((each: { type: string; status: string }) => `${each.type} ${each.status}`)
    expect(outcomes.sort()).toEqual([
      'recording.ready delivered',
      'transcription.ready delivered',
      'webhook.test delivered',
    ])
  }
  await vi.waitFor(isDelivered, { timeout: 100_000, interval: 50 })
  const link = { path: 'recording.mkv', expires_in: 60 }
  return {
    external_id: room,
    person_external_id: `${room}-1`,
    participant_id: '1.1.1',
    recording_id: job,
    transcript_id: job,
    endpoint_id: endpoint,
    delivery_id: delivery,
    link_id: (await partner('POST', `/recordings/${job}/links`, { body: link })).body.id,
  }
}

export const parametersOf = (name: string): string[] =>
  [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)

/** Calls an operation with its example as the body. The first parameter of the path has its value of `first`. */
export function send(as: Version2, [name, operation]: [string, ApiOperation], first: Values, rest = first) {
  const [method = '', path = ''] = name.split(' ')
  const [outer] = parametersOf(name)
  const filled = path.slice(BASE.length).replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = (parameter === outer ? first : rest)[parameter]
    if (value === undefined) throw new Error(`${name}: there is nothing of the kind ${parameter}`)
    return value
  })
  const needed = (operation.parameters ?? []).filter(each => each.in === 'query' && each.name === 'room')
  const query = needed.length > 0 ? `?room=${first.external_id}` : ''
  const json = operation.requestBody?.content['application/json']
  if (json) return as(method, filled + query, { body: json.example })
  const [type] = Object.keys(operation.requestBody?.content ?? {})
  return as(method, filled + query, type ? { raw: Buffer.from('x'), headers: { 'content-type': type } } : {})
}
