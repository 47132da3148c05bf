import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Delivery, type VerificationFailure, verifyWebhook, WebhookVerificationError } from './index.ts'

const secret = 'correct horse battery staple'
const now = 1_767_225_600_000
const event = {
  id: 'wh_0123456789abcdef',
  type: 'transcription.ready',
  created_at: '2026-01-01T00:00:00Z',
  data: {
    room: { external_id: 'урок-1', tag: 'quiet-river' },
    transcription: { id: 'job-1', status: 'a status of tomorrow', text: 'Здравствуйте 😀', segments: [] },
  },
  field_of_tomorrow: true,
}

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text, 'utf8').digest('hex')

/** A delivery as docs/webhooks.md describes it, made without the code under test. */
function delivered({
  body = JSON.stringify(event),
  timestamp = String(now / 1000),
  key = secret,
  headers = {},
}: {
  body?: string
  timestamp?: string
  key?: string
  headers?: Record<string, string | string[] | undefined>
} = {}): Delivery & { rawBody: Buffer; headers: Record<string, string | string[] | undefined> } {
  return {
    rawBody: Buffer.from(body),
    headers: {
      'content-type': 'application/json',
      'x-service-event': event.type,
      'x-service-delivery': event.id,
      'x-service-timestamp': timestamp,
      'x-service-signature': `sha256=${hmac(key, `${timestamp}.${body}`)}`,
      ...headers,
    },
    secret,
    now,
  }
}

function reasonOf(delivery: Delivery): VerificationFailure {
  try {
    verifyWebhook(delivery)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason
    throw error
  }
  return expect.unreachable('the delivery was accepted')
}

describe('a genuine delivery', () => {
  it('returns the event, including unknown fields (EVENT-1)', () => {
    expect(verifyWebhook(delivered())).toEqual(event)
  })

  it('matches a fixed vector: HMAC-SHA256 over "timestamp.body", in lowercase hex', () => {
    const body = '{"id":"wh_1","type":"recording.ready","created_at":"2026-01-01T00:00:00Z","data":{}}'
    const signature = 'sha256=9dcf1ececc40a823d620950907284a3c107747be3094436965ea019dca608ded'
    const headers = {
      'X-Service-Event': 'recording.ready',
      'X-Service-Delivery': 'wh_1',
      'X-Service-Timestamp': '1767225600',
      'X-Service-Signature': signature,
    }
    expect(verifyWebhook({ rawBody: body, headers, secret, now })).toMatchObject({ id: 'wh_1' })
  })

  it('may be a Buffer, a Uint8Array or a string', () => {
    const { rawBody, ...rest } = delivered()
    for (const body of [rawBody, new Uint8Array(rawBody), rawBody.toString()]) {
      expect(verifyWebhook({ ...rest, rawBody: body })).toEqual(event)
    }
  })

  it('may have header names in any case, or a Headers object', () => {
    const delivery = delivered()
    const entries = Object.entries(delivery.headers) as [string, string][]
    const upper = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]))
    expect(verifyWebhook({ ...delivery, headers: upper })).toEqual(event)
    expect(verifyWebhook({ ...delivery, headers: new Headers(entries) })).toEqual(event)
    const listed = Object.fromEntries(entries.map(([name, value]) => [name, [value]]))
    expect(verifyWebhook({ ...delivery, headers: listed })).toEqual(event)
  })

  it('may be up to 300 seconds old or early', () => {
    for (const offset of [-300_000, 300_999]) {
      expect(verifyWebhook({ ...delivered(), now: now + offset })).toEqual(event)
    }
  })

  it('is compared with the system clock by default', () => {
    const { now: _, ...fresh } = delivered({ timestamp: String(Math.floor(Date.now() / 1000)) })
    expect(verifyWebhook(fresh)).toEqual(event)
    const { now: __, ...old } = delivered()
    expect(reasonOf(old)).toBe('timestamp_out_of_tolerance')
  })
})

describe('a delivery while its secret is being replaced', () => {
  const [previous, next] = ['the previous secret of all', 'the next secret of all']
  const body = JSON.stringify(event)
  const signed = (key: string) => `sha256=${hmac(key, `${now / 1000}.${body}`)}`
  const rotating = (headers: Record<string, string | string[]> = {}) =>
    delivered({
      key: previous,
      headers: { 'x-service-signatures': `${signed(next)}, ${signed(previous)}`, ...headers },
    })

  it('is genuine for receivers with either secret, or with both (SIGNATURE-4)', () => {
    for (const known of [previous, next, [previous, next], [next, previous], [next, 'unknown']])
      expect(verifyWebhook({ ...rotating(), secret: known }), String(known)).toEqual(event)
    expect(reasonOf({ ...rotating(), secret: 'unknown' })).toBe('signature_mismatch')
    expect(reasonOf({ ...rotating(), secret: ['unknown', 'unknown too'] })).toBe('signature_mismatch')
  })

  it('needs one of several secrets outside of an overlap, too', () => {
    expect(verifyWebhook({ ...delivered(), secret: ['unknown', secret] })).toEqual(event)
    expect(reasonOf({ ...delivered(), secret: ['unknown'] })).toBe('signature_mismatch')
    for (const none of [[], ['', secret]])
      expect(() => verifyWebhook({ ...delivered(), secret: none })).toThrow(TypeError)
  })

  it('is rejected if a list of signatures is malformed, too long, repeated or of another body', () => {
    const reason = (list: string | string[]) =>
      reasonOf({ ...rotating({ 'x-service-signatures': list }), secret: [previous, next] })
    const good = signed(next)
    for (const list of [
      '',
      ',',
      `${good},`,
      `${good},,${good}`,
      `${good} ${good}`,
      good.toUpperCase(),
      'v1=ab',
    ])
      expect(reason(list), list).toBe('signature_malformed')
    expect(reason(Array(11).fill(good).join(', '))).toBe('signature_malformed')
    expect(reason([good, good])).toBe('header_repeated')
    const other = { 'x-service-signatures': `sha256=${hmac(next, 'another body')}` }
    expect(reasonOf({ ...rotating(other), secret: next })).toBe('signature_mismatch')
  })
})

describe('a delivery is rejected', () => {
  it('if any byte of the body differs', () => {
    const delivery = delivered()
    for (let i = 0; i < delivery.rawBody.length; i++) {
      const rawBody = Buffer.from(delivery.rawBody)
      rawBody.writeUInt8(rawBody.readUInt8(i) ^ 1, i)
      expect(reasonOf({ ...delivery, rawBody }), `byte ${i}`).toBe('signature_mismatch')
    }
    expect(reasonOf({ ...delivery, rawBody: `${delivery.rawBody}\n` })).toBe('signature_mismatch')
    expect(reasonOf({ ...delivery, rawBody: '' })).toBe('signature_mismatch')
  })

  it('if the body was parsed and serialized again', () => {
    const body = JSON.stringify(event, null, 2)
    expect(reasonOf({ ...delivered({ body }), rawBody: JSON.stringify(event) })).toBe('signature_mismatch')
  })

  it('if the secret or the signed timestamp differs', () => {
    expect(reasonOf(delivered({ key: `${secret}!` }))).toBe('signature_mismatch')
    const moved = { 'x-service-timestamp': String(now / 1000 + 1) }
    expect(reasonOf(delivered({ headers: moved }))).toBe('signature_mismatch')
  })

  it('if the signature is not lowercase hex with its prefix', () => {
    const good = hmac(secret, `${now / 1000}.${JSON.stringify(event)}`)
    for (const signature of [
      good,
      `sha256=${good.toUpperCase()}`,
      `SHA256=${good}`,
      `sha256=${good.slice(1)}`,
      `sha256=${good}0`,
      `sha256=${good}\n`,
      ` sha256=${good}`,
      `sha256=${good},sha256=${good}`,
      `sha256=${good}, `,
      `sha256=${good}, sha1=${good}`,
      Array(6).fill(`sha256=${good}`).join(', '),
      `sha1=${good}`,
      'sha256=',
      '',
    ]) {
      expect(reasonOf(delivered({ headers: { 'x-service-signature': signature } })), signature).toBe(
        'signature_malformed',
      )
    }
  })

  it('if the timestamp is not digits only, even when signed', () => {
    for (const timestamp of [
      '',
      '-1767225600',
      '+1767225600',
      '1767225600.0',
      '0x69557b80',
      '1e9',
      ' 1767225600',
      '1767225600\n',
      '١٧٦٧٢٢٥٦٠٠',
      '1767225600, 1767225600',
      '9'.repeat(400),
    ]) {
      expect(reasonOf(delivered({ timestamp })), timestamp).toBe('timestamp_malformed')
    }
  })

  it('if the timestamp is more than 300 seconds away, even when signed (SIGNATURE-2)', () => {
    for (const offset of [-301_000, 301_000, 86_400_000]) {
      expect(reasonOf({ ...delivered(), now: now + offset })).toBe('timestamp_out_of_tolerance')
    }
    expect(reasonOf({ ...delivered(), toleranceSeconds: 10, now: now + 11_000 })).toBe(
      'timestamp_out_of_tolerance',
    )
    expect(reasonOf({ ...delivered(), now: Number.NaN })).toBe('timestamp_out_of_tolerance')
    expect(reasonOf({ ...delivered(), toleranceSeconds: Number.NaN })).toBe('timestamp_out_of_tolerance')
  })

  it('if a header is missing', () => {
    for (const name of ['event', 'delivery', 'timestamp', 'signature']) {
      expect(reasonOf(delivered({ headers: { [`x-service-${name}`]: undefined } })), name).toBe(
        'header_missing',
      )
    }
    expect(reasonOf({ ...delivered(), headers: {} })).toBe('header_missing')
    expect(reasonOf({ ...delivered(), headers: new Headers() })).toBe('header_missing')
  })

  it('if a header is repeated', () => {
    for (const name of ['event', 'delivery', 'timestamp', 'signature']) {
      const delivery = delivered()
      const header = `x-service-${name}`
      const value = String(delivery.headers[header])
      const listed = { ...delivery.headers, [header]: [value, value] }
      expect(reasonOf({ ...delivery, headers: listed }), name).toBe('header_repeated')
      const twice = { ...delivery.headers, [header.toUpperCase()]: value }
      expect(reasonOf({ ...delivery, headers: twice }), name).toBe('header_repeated')
    }
  })

  it('if its headers and body describe different events', () => {
    expect(reasonOf(delivered({ headers: { 'x-service-delivery': 'wh_ffff' } }))).toBe('id_mismatch')
    expect(reasonOf(delivered({ headers: { 'x-service-event': 'recording.ready' } }))).toBe('type_mismatch')
  })

  it('if the signed body is not an event', () => {
    for (const body of ['', 'null', '7', '[]', '{}', '{"id":"wh_1"', '{"id":1,"type":"x","data":{}}']) {
      expect(reasonOf(delivered({ body })), body).toBe('body_malformed')
    }
  })

  it('before its body is parsed (SIGNATURE-1)', () => {
    expect(reasonOf({ ...delivered({ body: 'not json' }), secret: 'another' })).toBe('signature_mismatch')
  })

  it('with a clear error if the receiver has no secret', () => {
    for (const secret of ['', [], [''], ['another', '']]) {
      expect(() => verifyWebhook({ ...delivered({ key: '' }), secret })).toThrow(TypeError)
    }
  })
})
