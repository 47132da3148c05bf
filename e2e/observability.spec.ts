import { type CollectedSpan, TraceCollector } from '@lectern/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useLectern } from './support/lectern.ts'
import { tokenOf } from './support/links.ts'
import { signInByLink, useMembers } from './support/members.ts'
import { waitFor } from './support/wait.ts'
import { useWebhookReceiver } from './support/webhook-receiver.ts'

let collector: TraceCollector
let endpoint: string
beforeAll(async () => {
  collector = await TraceCollector.start()
  endpoint = collector.url
})
const receiver = useWebhookReceiver()
const lectern = useLectern(() => ({
  SVC_TRACING_ENDPOINT: endpoint,
  SVC_TRACING_HEADERS: 'x-access-key=the key of the collector',
  SVC_RECORDER_EMBEDDED: '1',
  SVC_INTEGRATION_ALLOW_INSECURE_WEBHOOKS: '1',
  SVC_SERVER_LOG_LEVEL: 'debug',
}))
const enter = useMembers()
afterAll(() => collector.stop())

const spanNamed = (name: string, isMeant: (span: CollectedSpan) => boolean = () => true) =>
  waitFor(() => collector.named(name).find(isMeant), `the collector has a span ${name}`)
const logLines = () =>
  lectern.log.split('\n').flatMap((line): Record<string, unknown>[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TITLE = 'A lesson about observation'
const TEXT = 'a chat message for nobody else'

describe('traces and log lines', () => {
  it('show a request, a command, a job and a webhook with their parts, and no secrets (TRACE-1)', async () => {
    const account = await lectern.addAccount('observed-school')
    const partner = lectern.client(account)
    const room = await partner.createRoom('lesson', {
      title: TITLE,
      teacher: { display_name: 'Anna Petrova', external_id: 'teacher-7' },
    })
    const { tag, teacher_join_url: link } = room
    const teacher = await signInByLink(link)
    const anna = enter({ url: lectern.url, tag, account: teacher, link })
    await anna.waitForJoin()
    await anna.sendChat(TEXT)
    const session = Number(anna.session)

    await partner.setWebhook(receiver.webhook())
    const { id } = await partner.testWebhook()
    const delivered = await waitFor(
      () => receiver.received.find(({ event }) => event.id === id),
      'the receiver has the test event',
    )

    // The recorder has the job, and notices the end: nothing was said, so nothing is recorded.
    const started = await waitFor(() => logLines().find(({ msg }) => msg === 'job started'), 'the job starts')
    await partner.closeRoom('lesson')
    const job = await spanNamed('job recording')
    const finished = await waitFor(() => logLines().find(({ msg }) => msg === 'job finished'), 'the job ends')
    const ids = { job_id: job.attributes['lectern.job_id'], conference_session_id: session }
    for (const line of [started, finished]) expect(line).toMatchObject({ ...ids, worker: 'recorder' })
    expect(job).toMatchObject({
      parentSpanId: '',
      attributes: { 'lectern.job_kind': 'recording', 'lectern.conference_session_id': session },
    })
    const queued = await spanNamed('job recording queued')
    expect(queued).toMatchObject({ traceId: job.traceId, parentSpanId: job.spanId, startMs: job.startMs })
    expect(queued.endMs).toBeLessThanOrEqual(job.endMs)

    const command = await spanNamed('command chat.send')
    expect(command).toMatchObject({ attributes: { 'lectern.conference_session_id': String(session) } })
    const statement = await spanNamed('INSERT chat_messages')
    expect(statement).toMatchObject({ traceId: command.traceId, parentSpanId: command.spanId })
    expect((await spanNamed('command job.finish')).attributes).toMatchObject({ 'lectern.job_id': ids.job_id })
    await spanNamed('control upgrade')

    const attempt = await spanNamed('webhook attempt', each => each.attributes['lectern.delivery_id'] === id)
    expect(attempt).toMatchObject({
      attributes: { 'lectern.event': 'webhook.test', 'http.response.status_code': 204 },
    })
    expect(delivered.headers.traceparent).toBe(`00-${attempt.traceId}-${attempt.spanId}-01`)

    // The caller's trace goes on here, and its request id is in the trace and in the log.
    const answer = await fetch(`${lectern.url}/api/v1/integration/rooms/lesson?token=in-the-address`, {
      headers: {
        authorization: `Bearer ${account.clientSecret}`,
        traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
        'x-request-id': 'observed-1',
      },
    })
    expect(answer.status).toBe(401)
    const request = await spanNamed(
      'GET /api/v1/integration/rooms/:external_id',
      each => each.traceId === TRACE,
    )
    expect(request).toMatchObject({
      parentSpanId: '00f067aa0ba902b7',
      attributes: { 'lectern.request_id': 'observed-1', 'http.response.status_code': 401 },
    })
    expect(logLines()).toContainEqual(
      expect.objectContaining({ request_id: 'observed-1', msg: 'request', status: 401 }),
    )

    expect(collector.headers[0]).toMatchObject({ 'x-access-key': 'the key of the collector' })
    const metrics = await (await fetch(`${lectern.url}/metrics`)).text()
    expect(metrics).toMatch(/^trace_spans_exported [1-9]/m)
    const secrets = [
      ...[account.clientSecret, teacher.access_token, teacher.refresh_token, receiver.webhook().secret],
      ...[room.teacher_join_url, room.student_join_url, tag, tokenOf(link), receiver.webhook().url],
      ...[TITLE, TEXT, 'Anna Petrova', 'observed-school', 'in-the-address', 'the key of the collector'],
    ]
    const traced = collector.texts.join('\n')
    for (const secret of secrets) expect(traced.includes(secret), secret).toBe(false)
    for (const secret of secrets.filter(each => each !== 'observed-school'))
      expect(lectern.log.includes(secret), secret).toBe(false)
  })

  it('are optional: without a collector the service works, logs that once, and stops without delay', async () => {
    collector.stop()
    const partner = lectern.client(await lectern.addAccount('other-school'))
    for (let i = 0; i < 5; i++) await partner.createRoom(`lesson-${i}`)
    const failures = () => logLines().filter(({ msg }) => String(msg).startsWith('traces cannot be exported'))
    await waitFor(() => failures().length > 0, 'a line about the collector')
    for (let i = 5; i < 10; i++) await partner.createRoom(`lesson-${i}`)
    const metrics = await (await fetch(`${lectern.url}/metrics`)).text()
    expect(metrics).toMatch(/^trace_spans_failed [1-9]/m)
    expect(await lectern.stop()).toMatchObject({ code: 0 })
    expect(failures()).toHaveLength(1)
  })
})
