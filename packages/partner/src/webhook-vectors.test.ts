import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { verifyStandardWebhook, verifyWebhook, WebhookVerificationError } from './index.ts'

interface Case {
  name: string
  expect: string
  /** Unix seconds. */
  now: number
  secrets: string[]
  headers: [string, string][]
  body: string
}
const casesOf = (name: string): Case[] =>
  JSON.parse(readFileSync(new URL(`../../../clients/vectors/${name}.json`, import.meta.url), 'utf8')).cases

const suites = [
  { name: 'webhooks', verify: verifyWebhook, cases: casesOf('webhooks') },
  { name: 'standard-webhooks', verify: verifyStandardWebhook, cases: casesOf('standard-webhooks') },
]

describe.each(suites)('the vectors $name, which the clients of all languages share', ({ cases, verify }) => {
  it('include accepted and refused deliveries, and rotations of the secret', () => {
    const expected = new Set(cases.map(each => each.expect))
    for (const result of ['valid', 'signature_mismatch', 'timestamp_out_of_tolerance']) {
      expect(expected).toContain(result)
    }
    expect(cases.filter(({ secrets }) => secrets.length > 1)).not.toEqual([])
  })

  it.each(cases)('TypeScript: $name', ({ expect: expected, now, secrets, headers, body }) => {
    // A repeated name has several values, as in Node's headersDistinct.
    const values: Record<string, string[]> = {}
    for (const [name, value] of headers) values[name] = [...(values[name] ?? []), value]
    const result = () => {
      try {
        return verify({ rawBody: body, headers: values, secret: secrets, now: now * 1000 })
      } catch (error) {
        if (error instanceof WebhookVerificationError) return error.reason
        throw error
      }
    }
    if (expected === 'valid') expect(result()).toEqual(JSON.parse(body))
    else expect(result()).toBe(expected)
  })
})
