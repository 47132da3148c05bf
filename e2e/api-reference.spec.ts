import { describe, expect, it } from 'vitest'
import { useBrowser } from './support/browser.ts'
import { useLectern } from './support/lectern.ts'
import { screenshotsOf } from './support/screenshots.ts'

const lectern = useLectern()
const open = useBrowser()

/** The base path of the partner API (docs/partner-api.md). */
const OPERATIONS = [
  'POST /auth/token',
  'GET /server_info',
  'PUT /rooms/{external_id}',
  'GET /rooms/{external_id}',
  'PATCH /rooms/{external_id}',
  'POST /rooms/{external_id}/cancel',
  'POST /rooms/{external_id}/close',
  'GET /rooms/{external_id}/status',
  'PUT /webhook',
  'GET /webhook',
  'GET /join/{token}',
  'POST /join/{token}',
].map(operation => operation.replace(' ', ' /api/v1/integration'))

interface Document {
  openapi: string
  paths: Record<string, Record<string, { summary?: string }>>
}

const readDocument = async () => (await (await fetch(`${lectern.url}/api/openapi.json`)).json()) as Document

describe('the API reference', () => {
  it('lists every operation of the integration API in its OpenAPI document', async () => {
    const { openapi, paths } = await readDocument()
    expect(openapi).toMatch(/^3\.1\./)
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(listed).toEqual(expect.arrayContaining(OPERATIONS))
  })

  it('shows them on a page that loads nothing from other origins and raises no error', async () => {
    const { page, requests, console: said } = await open(`${lectern.url}/docs`)
    await page.getByText('/api/v1/integration/auth/token').first().waitFor()
    const text = (await page.locator('body').textContent()) ?? ''
    const { paths } = await readDocument()
    for (const methods of Object.values(paths))
      for (const { summary } of Object.values(methods)) expect(text).toContain(summary)

    const shoot = screenshotsOf('api-reference')
    await shoot(page, 'list')
    await page.getByText('/api/v1/integration/rooms/{external_id}', { exact: true }).first().click()
    await page.getByText('title', { exact: false }).first().waitFor()
    await shoot(page, 'operation', { fullPage: true })

    expect(new Set(requests.map(({ url }) => new URL(url)).map(originOf))).toEqual(new Set([lectern.url]))
    expect(said).toEqual([])
  })
})

/** Images embedded in a style sheet are not requested. */
const originOf = ({ protocol, origin }: URL) => (protocol === 'data:' ? lectern.url : origin)
