import type { DocumentView } from '@lectern/protocol'
import { vi } from 'vitest'

/** A picture of one colour. */
async function picture(color: string, width: number, height: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = color
  context.fillRect(0, 0, width, height)
  return canvas.convertToBlob()
}

export const aDocument = (file_id: string, parts: Partial<DocumentView> = {}): DocumentView => ({
  file_id,
  conference_tag: 'k7mq',
  purpose: 'slides',
  name: `${file_id}.pdf`,
  content_type: 'application/pdf',
  size: 9,
  user_id: '7',
  display_name: 'Anna Petrova',
  created_at_ms: 1,
  state: 'ready',
  failure: null,
  page_count: 1,
  pages: [{ page_number: 1, width: 1920, height: 1080, failure: null }],
  ...parts,
})

/**
 * The files of a fake server, instead of the network: each page of a file is a picture of its colour. An upload gets the id
 * `uploaded`. The test restores the network with `vi.restoreAllMocks`.
 */
export class FakeFiles {
  readonly files = new Map<string, DocumentView>()
  /** By `file_id/page`. */
  readonly colors = new Map<string, string>()
  readonly texts = new Map<string, string[]>()
  /** Whether slides may be office documents. */
  isOffice = false
  /** With which uploads are refused. */
  refusal: { status: number; code: string } | null = null
  /** Uploads wait for it. */
  mayUpload: Promise<unknown> = Promise.resolve()
  readonly requests: string[] = []

  constructor() {
    const network = window.fetch.bind(window)
    vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
      const path = String(input)
      if (!path.startsWith('/api/')) return network(input, init)
      this.requests.push(`${init?.method ?? 'GET'} ${path}`)
      return (await this.#answer(path, init)) ?? new Response('{}', { status: 404 })
    })
  }

  async #answer(path: string, init?: RequestInit): Promise<Response | null> {
    if (path.startsWith('/api/storage/uploads')) return this.#upload(init)
    if (path.endsWith('/server_info')) return Response.json({ office_slides_available: this.isOffice })
    const [, , , , id = '', , page, part] = path.split('/')
    const file = this.files.get(id)
    if (!file) return null
    if (!page) return Response.json(file)
    if (part === 'text')
      return Response.json({
        lines: (this.texts.get(`${id}/${page}`) ?? []).map(text => ({ text, box: [] })),
      })
    const color = this.colors.get(`${id}/${page}`)
    const about = file.pages[Number(page) - 1]
    if (!color || !about) return null
    const width = Number(part)
    return new Response(await picture(color, width, Math.round((width * about.height) / about.width)))
  }

  async #upload(init?: RequestInit): Promise<Response> {
    if (init?.method === 'POST')
      return this.refusal
        ? Response.json({ code: this.refusal.code, message: 'No.' }, { status: this.refusal.status })
        : new Response(null, { status: 201, headers: { location: '/api/storage/uploads/uploaded' } })
    const aborted = new Promise((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )
    await Promise.race([this.mayUpload, aborted])
    return new Response(null, { status: 204, headers: { 'upload-blob-id': 'uploaded' } })
  }
}
